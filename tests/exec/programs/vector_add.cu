// SPDX-License-Identifier: Apache-2.0
#include "program.hpp"

__global__ void add(const float* a, const float* b, float* c, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

int main() {
    const int n = 50000;
    const auto a = random_floats(n), b = random_floats(n, 0, 1, 2);
    float *da = to_device(a), *db = to_device(b), *dc = nullptr;
    CHECK(cudaMalloc((void**)&dc, n * sizeof(float)));
    const int threads = 256, blocks = (n + threads - 1) / threads;
    add<<<blocks, threads>>>(da, db, dc, n);
    CHECK(cudaGetLastError());
    const auto c = to_host(dc, n);
    bool good = true;
    for (int i = 0; i < n; ++i)
        good &= c[i] == a[i] + b[i];
    CHECK(cudaFree(da));
    CHECK(cudaFree(db));
    CHECK(cudaFree(dc));
    return verdict(good);
}
