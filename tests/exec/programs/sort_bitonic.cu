// SPDX-License-Identifier: Apache-2.0
// A bitonic network: steps within a block in shared memory, wider ones in global memory.
#include "program.hpp"

#include <algorithm>

constexpr unsigned kPart = 512;

__global__ void within(unsigned* values, unsigned from, unsigned to) {
    __shared__ unsigned part[kPart];
    const unsigned base = blockIdx.x * kPart, t = threadIdx.x;
    part[t] = values[base + t];
    part[t + kPart / 2] = values[base + t + kPart / 2];
    for (unsigned size = from; size <= to; size *= 2)
        for (unsigned stride = min(size, kPart) / 2; stride > 0; stride /= 2) {
            __syncthreads();
            const unsigned i = 2 * t - (t & (stride - 1)), j = i + stride;
            const bool up = ((base + i) & size) == 0;
            if ((part[i] > part[j]) == up) {
                const unsigned kept = part[i];
                part[i] = part[j];
                part[j] = kept;
            }
        }
    __syncthreads();
    values[base + t] = part[t];
    values[base + t + kPart / 2] = part[t + kPart / 2];
}

__global__ void across(unsigned* values, unsigned size, unsigned stride) {
    const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned i = 2 * t - (t & (stride - 1)), j = i + stride;
    const bool up = (i & size) == 0;
    const unsigned a = values[i], b = values[j];
    if ((a > b) == up) {
        values[i] = b;
        values[j] = a;
    }
}

int main() {
    const unsigned n = 1 << 14;
    std::vector<unsigned> values(n);
    unsigned state = 12345;
    for (unsigned& v : values)
        v = state = state * 1664525u + 1013904223u;
    unsigned* device = to_device(values);
    within<<<n / kPart, kPart / 2>>>(device, 2, kPart);
    for (unsigned size = 2 * kPart; size <= n; size *= 2) {
        for (unsigned stride = size / 2; stride >= kPart; stride /= 2)
            across<<<n / 512, 256>>>(device, size, stride);
        within<<<n / kPart, kPart / 2>>>(device, size, size);
    }
    CHECK(cudaGetLastError());
    std::sort(values.begin(), values.end());
    const bool good = to_host(device, n) == values;
    CHECK(cudaFree(device));
    return verdict(good);
}
