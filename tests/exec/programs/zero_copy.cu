// SPDX-License-Identifier: Apache-2.0
// A kernel uses the host's memory: mapped when it was taken, and registered later.
#include "program.hpp"

__global__ void add_one(int* values, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        ++values[i];
}

int main() {
    CHECK(cudaSetDeviceFlags(cudaDeviceMapHost));
    cudaDeviceProp properties;
    CHECK(cudaGetDeviceProperties(&properties, 0));
    const int n = 5000;
    int *mapped = nullptr, *device = nullptr;
    CHECK(cudaHostAlloc(&mapped, n * sizeof(int), cudaHostAllocMapped));
    CHECK(cudaHostGetDevicePointer(&device, mapped, 0));
    for (int i = 0; i < n; ++i)
        mapped[i] = i;
    add_one<<<1, 256>>>(device, n);
    CHECK(cudaDeviceSynchronize());
    bool good = properties.canMapHostMemory != 0;
    for (int i = 0; i < n; ++i)
        good &= mapped[i] == i + 1;
    unsigned flags = 0;
    CHECK(cudaHostGetFlags(&flags, mapped));
    good &= (flags & cudaHostAllocMapped) != 0;
    CHECK(cudaFreeHost(mapped));

    std::vector<int> own(n, 41);
    CHECK(cudaHostRegister(own.data(), n * sizeof(int), cudaHostRegisterMapped));
    CHECK(cudaHostGetDevicePointer(&device, own.data(), 0));
    add_one<<<1, 128>>>(device, n);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaHostUnregister(own.data()));
    for (const int value : own)
        good &= value == 42;
    return verdict(good);
}
