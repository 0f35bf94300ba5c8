// SPDX-License-Identifier: Apache-2.0
// For --default-stream per-thread: each thread's launches are in its own stream.
#include <atomic>
#include <cstdio>
#include <thread>

__global__ void fill(int* data, int value) { data[threadIdx.x] = value + threadIdx.x; }

int main() {
    std::atomic<int> wrong = 0;
    const auto work = [&](int number) {
        int* data = nullptr;
        wrong += cudaMalloc(&data, 64 * sizeof(int)) != cudaSuccess;
        for (int round = 0; round < 100; ++round) {
            fill<<<1, 64>>>(data, 1000 * number + round);
            int host[64];
            wrong += cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost) != cudaSuccess;
            for (int i = 0; i < 64; ++i)
                wrong += host[i] != 1000 * number + round + i;
        }
        wrong += cudaFree(data) != cudaSuccess;
    };
    std::thread a(work, 1), b(work, 2);
    a.join();
    b.join();
    if (wrong) return 1;
    std::printf("ok\n");
}
