// SPDX-License-Identifier: Apache-2.0
// Launches before and after resets; memory and variables begin anew.
#include "program.hpp"

__device__ int count = 5;

__global__ void next(int* out) { *out = ++count; }

int main() {
    bool good = true;
    for (int round = 0; round < 3; ++round) {
        int* out = to_device(std::vector<int>(1));
        next<<<1, 1>>>(out);
        next<<<1, 1>>>(out);
        good &= to_host(out, 1)[0] == 7;
        if (round == 1) CHECK(cudaFree(out));
        CHECK(cudaDeviceReset());
    }
    // A fault is gone with the context that it has ended.
    next<<<1, 1>>>(reinterpret_cast<int*>(8));
    good &= cudaDeviceSynchronize() == cudaErrorIllegalAddress;
    (void)cudaDeviceReset();
    return verdict(good);
}
