// SPDX-License-Identifier: Apache-2.0
// Events: order between streams, queries, times.
#include "program.hpp"

__global__ void fill(int* values, int n, int value) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        values[i] = value;
}
__global__ void twice(int* values, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        values[i] *= 2;
}

int main() {
    const int n = 1 << 18;
    int* values = nullptr;
    CHECK(cudaMalloc(&values, n * sizeof(int)));
    cudaStream_t first, second;
    CHECK(cudaStreamCreate(&first));
    CHECK(cudaStreamCreateWithPriority(&second, cudaStreamNonBlocking, 0));
    cudaEvent_t begin, filled, end;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreateWithFlags(&filled, cudaEventDisableTiming));
    CHECK(cudaEventCreateWithFlags(&end, cudaEventBlockingSync));
    bool good = true;
    for (int round = 1; round <= 5; ++round) {
        CHECK(cudaEventRecord(begin, first));
        fill<<<64, 256, 0, first>>>(values, n, round);
        CHECK(cudaEventRecord(filled, first));
        CHECK(cudaStreamWaitEvent(second, filled, 0));
        twice<<<64, 256, 0, second>>>(values, n);
        CHECK(cudaEventRecord(end, second));
        CHECK(cudaEventSynchronize(end));
        good &= cudaEventQuery(end) == cudaSuccess && cudaStreamQuery(second) == cudaSuccess;
        float milliseconds = -1;
        CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
        good &= milliseconds >= 0;
        good &= to_host(values, n) == std::vector<int>(n, 2 * round);
    }
    float milliseconds = 0;
    good &= cudaEventElapsedTime(&milliseconds, begin, filled) == cudaErrorInvalidResourceHandle;
    good &= cudaGetLastError() == cudaErrorInvalidResourceHandle && cudaGetLastError() == cudaSuccess;
    for (cudaEvent_t event : {begin, filled, end})
        CHECK(cudaEventDestroy(event));
    CHECK(cudaStreamDestroy(first));
    CHECK(cudaStreamDestroy(second));
    CHECK(cudaFree(values));
    return verdict(good);
}
