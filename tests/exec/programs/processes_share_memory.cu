// SPDX-License-Identifier: Apache-2.0
// One process gives another a handle of its memory, and an event.
#include "program.hpp"

#include <sys/wait.h>
#include <unistd.h>

__global__ void add(int* values, int n, int what) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] += what;
}

struct Handles {
    cudaIpcMemHandle_t memory;
    cudaIpcEventHandle_t event;
};

constexpr int kCount = 1000;

int child(int from, int to) {
    Handles handles;
    if (read(from, &handles, sizeof handles) != sizeof handles) return 1;
    int* values = nullptr;
    CHECK(cudaIpcOpenMemHandle((void**)&values, handles.memory, cudaIpcMemLazyEnablePeerAccess));
    cudaEvent_t event;
    CHECK(cudaIpcOpenEventHandle(&event, handles.event));
    CHECK(cudaStreamWaitEvent(0, event, 0));
    const bool good = to_host(values, kCount) == std::vector<int>(kCount, 5);
    add<<<(kCount + 63) / 64, 64>>>(values, kCount, 37);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaIpcCloseMemHandle(values));
    const char done = 'd';
    return write(to, &done, 1) == 1 && good ? 0 : 1;
}

int main() {
    int down[2], up[2];
    if (pipe(down) != 0 || pipe(up) != 0) return 2;
    const pid_t other = fork(); // before CUDA is used
    if (other == 0) std::exit(child(down[0], up[1]));
    int* values = to_device(std::vector<int>(kCount, 2));
    cudaEvent_t event;
    CHECK(cudaEventCreateWithFlags(&event, cudaEventInterprocess | cudaEventDisableTiming));
    add<<<(kCount + 63) / 64, 64>>>(values, kCount, 3);
    CHECK(cudaEventRecord(event));
    Handles handles;
    CHECK(cudaIpcGetMemHandle(&handles.memory, values));
    CHECK(cudaIpcGetEventHandle(&handles.event, event));
    bool good = write(down[1], &handles, sizeof handles) == sizeof handles;
    char done = 0;
    good &= read(up[0], &done, 1) == 1;
    int status = 1;
    good &= waitpid(other, &status, 0) == other && status == 0;
    good &= to_host(values, kCount) == std::vector<int>(kCount, 42);
    CHECK(cudaEventDestroy(event));
    CHECK(cudaFree(values));
    return verdict(good);
}
