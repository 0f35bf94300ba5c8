// SPDX-License-Identifier: Apache-2.0
// A stencil with a halo in shared memory.
#include "program.hpp"

#include <algorithm>

constexpr int kRadius = 3, kThreads = 128;

__global__ void stencil(const int* in, int* out, int n) {
    __shared__ int part[kThreads + 2 * kRadius];
    const int g = blockIdx.x * blockDim.x + threadIdx.x, l = threadIdx.x + kRadius;
    const auto at = [&](int i) { return i >= 0 && i < n ? in[i] : 0; };
    part[l] = at(g);
    if (threadIdx.x < kRadius) {
        part[l - kRadius] = at(g - kRadius);
        part[l + kThreads] = at(g + kThreads);
    }
    __syncthreads();
    int sum = 0;
    for (int offset = -kRadius; offset <= kRadius; ++offset)
        sum += part[l + offset];
    if (g < n) out[g] = sum;
}

int main() {
    const int n = 10000;
    const auto values = random_ints(n, 0, 100);
    int *in = to_device(values), *out = nullptr;
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    stencil<<<(n + kThreads - 1) / kThreads, kThreads>>>(in, out, n);
    std::vector<int> expected(n);
    for (int i = 0; i < n; ++i)
        for (int j = std::max(0, i - kRadius); j <= std::min(n - 1, i + kRadius); ++j)
            expected[i] += values[j];
    const bool good = to_host(out, n) == expected;
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return verdict(good);
}
