// SPDX-License-Identifier: Apache-2.0
// Counts in shared memory, added to the global ones at the end.
#include "program.hpp"

#include <cstring>

constexpr int kBins = 256;

__global__ void histogram(const unsigned char* text, size_t size, unsigned* bins) {
    __shared__ unsigned mine[kBins];
    for (int b = threadIdx.x; b < kBins; b += blockDim.x)
        mine[b] = 0;
    __syncthreads();
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += size_t(blockDim.x) * gridDim.x)
        atomicAdd(&mine[text[i]], 1u);
    __syncthreads();
    for (int b = threadIdx.x; b < kBins; b += blockDim.x)
        atomicAdd(&bins[b], mine[b]);
}

int main() {
    const auto numbers = random_ints(300007, 0, 255);
    const std::vector<unsigned char> text(numbers.begin(), numbers.end());
    unsigned char* in = to_device(text);
    unsigned* bins = nullptr;
    CHECK(cudaMalloc(&bins, kBins * sizeof *bins));
    CHECK(cudaMemset(bins, 0, kBins * sizeof *bins));
    cudaDeviceProp properties;
    CHECK(cudaGetDeviceProperties(&properties, 0));
    histogram<<<2 * properties.multiProcessorCount, 192>>>(in, text.size(), bins);
    CHECK(cudaPeekAtLastError());
    std::vector<unsigned> expected(kBins);
    for (const unsigned char c : text)
        ++expected[c];
    const bool good = to_host(bins, kBins) == expected;
    CHECK(cudaFree(in));
    CHECK(cudaFree(bins));
    return verdict(good);
}
