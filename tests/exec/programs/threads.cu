// SPDX-License-Identifier: Apache-2.0
// Threads of the host, each with the default stream of its own.
// build: -default-stream per-thread
#include "program.hpp"

#include <atomic>
#include <thread>

__global__ void add(int* values, int n, int what) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        values[i] += what;
}

int main() {
    const int n = 2000, count = 8;
    std::atomic<int> good{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < count; ++t)
        threads.emplace_back([t, &good] {
            int* values = nullptr;
            CHECK(cudaMalloc(&values, n * sizeof(int)));
            CHECK(cudaMemset(values, 0, n * sizeof(int)));
            for (int round = 0; round < 25; ++round)
                add<<<4, 64>>>(values, n, t);
            std::vector<int> result(n);
            CHECK(cudaMemcpyAsync(result.data(), values, n * sizeof(int), cudaMemcpyDeviceToHost, 0));
            CHECK(cudaStreamSynchronize(cudaStreamPerThread));
            // An error of one thread is not another's.
            if (t % 2) (void)cudaSetDevice(1000);
            const bool right = cudaGetLastError() == (t % 2 ? cudaErrorInvalidDevice : cudaSuccess);
            good += right && result == std::vector<int>(n, 25 * t);
            CHECK(cudaFree(values));
        });
    for (std::thread& thread : threads)
        thread.join();
    return verdict(good == count);
}
