// SPDX-License-Identifier: Apache-2.0
// What nearly every program does: memory, copies, <<<>>> with and without a stream, a template, constants, variables of
// the device, managed ones, events, printf, assert that holds, dynamic shared memory. Prints "ok" at the end.
#include <cassert>
#include <cstdio>
#include <vector>

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        const cudaError_t error = (call);                                                                              \
        if (error != cudaSuccess) {                                                                                    \
            std::printf("%s: %s\n", #call, cudaGetErrorName(error));                                                   \
            return 1;                                                                                                  \
        }                                                                                                              \
    } while (false)

__constant__ float factors[4];
__device__ int counter = 3;
__managed__ int shared_with_host = 5;

template <class T>
__global__ void scale(T* data, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    data[i] = static_cast<T>(data[i] * factors[i % 4]);
    atomicAdd(&counter, 1);
}

__global__ void reverse(int* data) {
    extern __shared__ int block[];
    block[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    data[threadIdx.x] = block[blockDim.x - 1 - threadIdx.x];
    if (threadIdx.x == 0) ++shared_with_host;
    assert(blockDim.x == 64);
}

__global__ void hello() { printf("hello from %d\n", threadIdx.x); }

int main() {
    constexpr int n = 1000;
    std::vector<float> numbers(n), result(n);
    for (int i = 0; i < n; ++i)
        numbers[i] = float(i);
    const float host_factors[4] = {1, 2, 3, 4};
    CHECK(cudaMemcpyToSymbol(factors, host_factors, sizeof factors));
    float* data = nullptr;
    CHECK(cudaMalloc(&data, n * sizeof(float)));
    CHECK(cudaMemcpy(data, numbers.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    scale<<<(n + 127) / 128, 128>>>(data, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(result.data(), data, n * sizeof(float), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; ++i)
        if (result[i] != numbers[i] * host_factors[i % 4]) return 2;
    int count = 0;
    CHECK(cudaMemcpyFromSymbol(&count, counter, sizeof count));
    if (count != n + 3) return 3;

    cudaStream_t stream;
    cudaEvent_t start, end;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&end));
    int* order = nullptr;
    CHECK(cudaMallocManaged(&order, 64 * sizeof(int)));
    for (int i = 0; i < 64; ++i)
        order[i] = i;
    CHECK(cudaEventRecord(start, stream));
    reverse<<<1, 64, 64 * sizeof(int), stream>>>(order);
    CHECK(cudaEventRecord(end, stream));
    CHECK(cudaEventSynchronize(end));
    float ms = -1;
    CHECK(cudaEventElapsedTime(&ms, start, end));
    if (ms < 0 || order[0] != 63 || order[63] != 0 || shared_with_host != 6) return 4;

    int size = 0, grid = 0;
    CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &size, scale<float>));
    if (size < 32 || grid < 1) return 5;
    cudaFuncAttributes attributes;
    CHECK(cudaFuncGetAttributes(&attributes, reverse));
    hello<<<1, 2>>>();
    CHECK(cudaDeviceSynchronize());
    scale<<<1, 4096>>>(data, n);
    const cudaError_t impossible = CUDART_VERSION >= 13000 ? cudaErrorInvalidValue : cudaErrorInvalidConfiguration;
    if (cudaGetLastError() != impossible || cudaGetLastError() != cudaSuccess) return 6;
    std::printf("ok\n");
}
