// SPDX-License-Identifier: Apache-2.0
// What the end of a process is about: `program WHAT` does one thing that is bad for a process, and prints what it saw.
// process_test.cpp runs it.
#include "kernels.hpp"

#include <cstdio>
#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>

using namespace runtime_test;

namespace {

void say(const char* what, cudaError_t error) { std::printf("%s %s\n", what, cudaGetErrorName(error)); }

/// A kernel that never ends by itself.
void start_endless() {
    void* flag = nullptr;
    say("malloc", cudaMalloc(&flag, 4));
    say("memset", cudaMemset(flag, 0, 4));
    void* arguments[] = {static_cast<void*>(&flag)};
    cudaStream_t stream = nullptr;
    say("stream", cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    say("launch", cudaLaunchKernel(&wait_for, dim3(1), dim3(1), arguments, 0, stream));
}

} // namespace

// As in programs of nvcc: registered before main, unregistered by atexit.
static Kernels kernels;

int main(int argc, char** argv) {
    const std::string what = argc > 1 ? argv[1] : "";
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    if (what == "no-driver") {
        int count = 7, version = 7;
        say("count", cudaGetDeviceCount(&count));
        std::printf("devices %d\n", count);
        void* pointer = nullptr;
        say("malloc", cudaMalloc(&pointer, 4));
        say("launch", cudaLaunchKernel(&fill, dim3(1), dim3(1), nullptr, 0, nullptr));
        say("set", cudaSetDevice(0));
        say("version", cudaDriverGetVersion(&version));
        std::printf("driver %d\n", version);
        say("last", cudaGetLastError());
        std::printf("%s\n", cudaGetErrorString(cudaErrorInsufficientDriver));
        return 0;
    }
    if (what == "pending") {
        start_endless();
        return 5;
    }
    if (what == "exit-in-thread") {
        start_endless();
        std::exit(6);
    }
    if (what == "fork") {
        void* pointer = nullptr;
        say("malloc", cudaMalloc(&pointer, 64));
        const pid_t child = fork();
        if (child == 0) {
            // A context does not survive: an answer, and no fall and no waiting.
            const cudaError_t error = cudaMalloc(&pointer, 64);
            _exit(error == cudaSuccess ? 0 : 1);
        }
        int status = 0;
        waitpid(child, &status, 0);
        std::printf("child %s\n", WIFEXITED(status) ? "ended" : "fell");
        say("free", cudaFree(pointer));
        return 0;
    }
    if (what == "fork-first") {
        const pid_t child = fork();
        if (child == 0) {
            void* pointer = nullptr;
            _exit(cudaMalloc(&pointer, 64) == cudaSuccess ? 0 : 1);
        }
        int status = 0;
        waitpid(child, &status, 0);
        std::printf("child %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
        void* pointer = nullptr;
        say("malloc", cudaMalloc(&pointer, 64));
        return 0;
    }
    if (what == "ignore") {
        // Never looks at an error, and goes on.
        void* pointer = nullptr;
        (void)cudaSetDevice(77);
        (void)cudaMalloc(&pointer, std::size_t{1} << 62);
        (void)cudaMemset(pointer, 1, 100);
        (void)cudaLaunchKernel(&fill, dim3(0), dim3(0), nullptr, 0, nullptr);
        (void)cudaLaunchKernel(nullptr, dim3(1), dim3(1), nullptr, 0, nullptr);
        (void)cudaMemcpy(nullptr, pointer, 10, cudaMemcpyDeviceToHost);
        (void)cudaFree(reinterpret_cast<void*>(0x1234));
        (void)cudaEventRecord(nullptr, nullptr);
        (void)cudaDeviceSynchronize();
        say("last", cudaGetLastError());
        return 0;
    }
    return 99;
}
