// SPDX-License-Identifier: Apache-2.0
// Two devices: copies between them, access to each other's memory, a stream and a thread for each.
// exec: --devices 2
#include "program.hpp"

#include <thread>

__global__ void fill(int* values, int n, int first) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] = first + i;
}
__global__ void add(int* to, const int* from, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] += from[i];
}

int main() {
    int devices = 0;
    CHECK(cudaGetDeviceCount(&devices));
    if (devices < 2) {
        std::puts("this needs two devices");
        return verdict(false);
    }
    const int n = 10000;
    int* values[2];
    std::thread threads[2];
    for (int d = 0; d < 2; ++d)
        threads[d] = std::thread([d, &values] {
            CHECK(cudaSetDevice(d));
            CHECK(cudaMalloc(&values[d], n * sizeof(int)));
            fill<<<(n + 255) / 256, 256>>>(values[d], n, 1000 * d);
            CHECK(cudaDeviceSynchronize());
        });
    for (std::thread& thread : threads)
        thread.join();
    bool good = true;
    int can = 0;
    CHECK(cudaDeviceCanAccessPeer(&can, 0, 1));
    if (can) {
        CHECK(cudaSetDevice(0));
        CHECK(cudaDeviceEnablePeerAccess(1, 0));
        add<<<(n + 255) / 256, 256>>>(values[0], values[1], n);
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaDeviceDisablePeerAccess(1));
    }
    CHECK(cudaMemcpyPeer(values[1], 1, values[0], 0, n * sizeof(int)));
    CHECK(cudaSetDevice(1));
    const auto result = to_host(values[1], n);
    for (int i = 0; i < n; ++i)
        good &= result[i] == (can ? 1000 + 2 * i : i);
    cudaPointerAttributes attributes;
    CHECK(cudaPointerGetAttributes(&attributes, values[0]));
    good &= attributes.device == 0 && attributes.type == cudaMemoryTypeDevice;
    for (int d = 0; d < 2; ++d) {
        CHECK(cudaSetDevice(d));
        CHECK(cudaFree(values[d]));
    }
    return verdict(good);
}
