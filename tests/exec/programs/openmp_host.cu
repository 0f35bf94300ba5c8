// SPDX-License-Identifier: Apache-2.0
// Threads of OpenMP on the host, each with a stream; marks for profilers; priorities; prefetching.
// build: -Xcompiler -fopenmp
#include "program.hpp"

#include <cuda_profiler_api.h>
#include <nvtx3/nvToolsExt.h>
#include <omp.h>

__global__ void scale(float* values, int n, float by) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] *= by;
}

int main() {
    const int count = 4, n = 4096;
    int least = 0, greatest = 0, good = 0;
    CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    CHECK(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1));
    CHECK(cudaFuncSetCacheConfig(scale, cudaFuncCachePreferShared));
    CHECK(cudaProfilerStart());
    float* values = nullptr;
    CHECK(cudaMallocManaged(&values, count * n * sizeof(float)));
    for (int i = 0; i < count * n; ++i)
        values[i] = float(i % 1000);
#pragma omp parallel num_threads(count) reduction(+ : good)
    {
        const int t = omp_get_thread_num();
        nvtxRangePushA("a part");
        cudaStream_t stream;
        CHECK(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, t % 2 ? least : greatest));
        scale<<<n / 256, 256, 0, stream>>>(values + t * n, n, float(t + 1));
        CHECK(cudaStreamSynchronize(stream));
        int priority = 100;
        CHECK(cudaStreamGetPriority(stream, &priority));
        CHECK(cudaStreamDestroy(stream));
        nvtxRangePop();
        bool right = priority == (t % 2 ? least : greatest);
        for (int i = t * n; i < (t + 1) * n; ++i)
            right &= values[i] == float(i % 1000) * float(t + 1);
        good += right;
    }
    CHECK(cudaProfilerStop());
    CHECK(cudaFree(values));
    return verdict(good == count && least >= greatest);
}
