// SPDX-License-Identifier: Apache-2.0
// Four bits a pass: counts of each block, a scan of them, and a scatter that keeps the order.
#include "program.hpp"

#include <algorithm>

constexpr int kThreads = 128, kDigits = 16;

__global__ void count(const unsigned* in, int n, int shift, int* counts) {
    __shared__ int mine[kDigits];
    if (threadIdx.x < kDigits) mine[threadIdx.x] = 0;
    __syncthreads();
    const int i = blockIdx.x * kThreads + threadIdx.x;
    if (i < n) atomicAdd(&mine[in[i] >> shift & (kDigits - 1)], 1);
    __syncthreads();
    if (threadIdx.x < kDigits) counts[threadIdx.x * gridDim.x + blockIdx.x] = mine[threadIdx.x];
}

__global__ void scan(int* counts, int size) {
    int sum = 0;
    for (int i = 0; i < size; ++i) {
        const int here = counts[i];
        counts[i] = sum;
        sum += here;
    }
}

__global__ void scatter(const unsigned* in, unsigned* out, int n, int shift, const int* counts) {
    __shared__ int digits[kThreads];
    const int i = blockIdx.x * kThreads + threadIdx.x;
    const int digit = i < n ? int(in[i] >> shift & (kDigits - 1)) : -1;
    digits[threadIdx.x] = digit;
    __syncthreads();
    if (i >= n) return;
    int before = 0;
    for (unsigned t = 0; t < threadIdx.x; ++t)
        before += digits[t] == digit;
    out[counts[digit * gridDim.x + blockIdx.x] + before] = in[i];
}

int main() {
    const int n = 10000, blocks = (n + kThreads - 1) / kThreads;
    std::mt19937 engine(7);
    std::vector<unsigned> values(n);
    for (unsigned& v : values)
        v = engine();
    unsigned *a = to_device(values), *b = to_device(values);
    int* counts = nullptr;
    CHECK(cudaMalloc(&counts, sizeof(int) * kDigits * blocks));
    for (int shift = 0; shift < 32; shift += 4) {
        count<<<blocks, kThreads>>>(a, n, shift, counts);
        scan<<<1, 1>>>(counts, kDigits * blocks);
        scatter<<<blocks, kThreads>>>(a, b, n, shift, counts);
        std::swap(a, b);
    }
    std::sort(values.begin(), values.end());
    const bool good = to_host(a, n) == values;
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaFree(counts));
    return verdict(good);
}
