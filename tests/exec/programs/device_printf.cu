// SPDX-License-Identifier: Apache-2.0
// printf in kernels: its text comes when the device is waited for.
#include "program.hpp"

#include <cstring>
#include <string>
#include <unistd.h>

__global__ void speak(const char* name) {
    if (threadIdx.x % 2 == 0)
        printf("thread %d of block %u says %s %.2f %c %llx\n", int(threadIdx.x), blockIdx.x, name, 1.5, 'x', 255ULL);
}

int main() {
    char *name = nullptr, path[] = "/tmp/device-printf-XXXXXX";
    CHECK(cudaMallocManaged(&name, 10));
    std::strcpy(name, "hello");
    size_t size = 0;
    CHECK(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1 << 20));
    CHECK(cudaDeviceGetLimit(&size, cudaLimitPrintfFifoSize));
    // Standard output goes to a file meanwhile.
    std::fflush(stdout);
    const int file = mkstemp(path), before = dup(1);
    dup2(file, 1);
    speak<<<2, 4>>>(name);
    const cudaError_t error = cudaDeviceSynchronize();
    std::fflush(stdout);
    dup2(before, 1);
    std::string text(10000, '\0');
    text.resize(size_t(pread(file, text.data(), text.size(), 0)));
    unlink(path);
    CHECK(error);
    bool good = size >= 1 << 20;
    size_t expected = 0;
    for (const char* thread : {"0", "2"})
        for (const char* block : {"0", "1"}) {
            const std::string line = std::string("thread ") + thread + " of block " + block + " says hello 1.50 x ff\n";
            good &= text.find(line) != std::string::npos;
            expected += line.size();
        }
    CHECK(cudaFree(name));
    return verdict(good && text.size() == expected);
}
