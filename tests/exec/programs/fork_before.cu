// SPDX-License-Identifier: Apache-2.0
// Processes that were started before any of them used CUDA: each has its own devices.
#include "program.hpp"

#include <sys/wait.h>
#include <unistd.h>

__global__ void square(int* values, int n) {
    const int i = threadIdx.x;
    if (i < n) values[i] *= values[i];
}

bool use(int number) {
    int* values = to_device(std::vector<int>(10, number));
    square<<<1, 32>>>(values, 10);
    const bool good = to_host(values, 10) == std::vector<int>(10, number * number);
    CHECK(cudaFree(values));
    return good;
}

int main() {
    std::vector<pid_t> children;
    for (int i = 1; i <= 3; ++i) {
        const pid_t child = fork();
        if (child == 0) std::exit(use(i) ? 0 : 1);
        children.push_back(child);
    }
    bool good = use(10);
    for (const pid_t child : children) {
        int status = -1;
        good &= waitpid(child, &status, 0) == child && status == 0;
    }
    return verdict(good);
}
