// SPDX-License-Identifier: Apache-2.0
// Code in several files: device functions and variables of one file are used by another.
// build: -rdc=true
// files: main.cu device.cu host.cpp
#include "../program.hpp"

#include "parts.hpp"

__global__ void apply(int* values, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] = shifted(values[i]) + table[i % 3];
}

int main() {
    const int n = 100;
    auto values = random_ints(n, 0, 50);
    int* device = to_device(values);
    set_table(4, 5, 6);
    apply<<<2, 64>>>(device, n);
    CHECK(cudaDeviceSynchronize());
    add_in_place(device, n, 1000);
    const auto result = to_host(device, n);
    bool good = true;
    for (int i = 0; i < n; ++i)
        good &= result[i] == host_shifted(values[i]) + 4 + i % 3 + 1000;
    CHECK(cudaFree(device));
    return verdict(good);
}
