// SPDX-License-Identifier: Apache-2.0
// Launch configurations that the occupancy functions suggest.
#include "program.hpp"

__global__ void square(int* values, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] *= values[i];
}

__global__ __launch_bounds__(128) void bounded(int* values, int n) {
    extern __shared__ int shared[];
    shared[threadIdx.x] = values[threadIdx.x];
    __syncthreads();
    if (threadIdx.x < n) values[threadIdx.x] = shared[n - 1 - threadIdx.x];
}

int main() {
    const int n = 12345;
    const auto numbers = random_ints(n, -100, 100);
    int* values = to_device(numbers);
    int least = 0, threads = 0, active = 0;
    CHECK(cudaOccupancyMaxPotentialBlockSize(&least, &threads, square, 0, 0));
    square<<<(n + threads - 1) / threads, threads>>>(values, n);
    CHECK(cudaGetLastError());
    const auto squares = to_host(values, n);
    bool good = threads >= 32 && threads <= 1024 && least >= 1;
    for (int i = 0; i < n; ++i)
        good &= squares[i] == numbers[i] * numbers[i];
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&active, square, threads, 0));
    cudaDeviceProp properties;
    CHECK(cudaGetDeviceProperties(&properties, 0));
    std::printf("%d threads a block, %d%% occupied\n", threads,
                100 * active * threads / properties.maxThreadsPerMultiProcessor);
    good &= active >= 1 && active * threads <= properties.maxThreadsPerMultiProcessor;

    cudaFuncAttributes attributes;
    CHECK(cudaFuncGetAttributes(&attributes, bounded));
    good &= attributes.maxThreadsPerBlock == 128 && attributes.ptxVersion >= 50;
    bounded<<<1, 256, 1024>>>(values, 128);
    good &= cudaGetLastError() != cudaSuccess; // too many threads for its bounds
    const int large = 60 * 1024;
    if (properties.sharedMemPerBlockOptin >= large) {
        bounded<<<1, 128, large>>>(values, 128);
        good &= cudaGetLastError() == cudaErrorInvalidValue;
        CHECK(cudaFuncSetAttribute(bounded, cudaFuncAttributeMaxDynamicSharedMemorySize, large));
    }
    bounded<<<1, 128, properties.sharedMemPerBlockOptin >= large ? large : 1024>>>(values, 128);
    CHECK(cudaGetLastError());
    const auto turned = to_host(values, 128);
    for (int i = 0; i < 128; ++i)
        good &= turned[i] == squares[127 - i];
    CHECK(cudaFree(values));
    return verdict(good);
}
