// SPDX-License-Identifier: Apache-2.0
// Ends while kernels and copies are still to come, and frees nothing.
#include "program.hpp"

__global__ void spin(int* values, int n, int rounds) {
    for (int r = 0; r < rounds; ++r)
        for (int i = threadIdx.x; i < n; i += blockDim.x)
            values[i] += r;
}

int main() {
    int* values = to_device(std::vector<int>(1000));
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    spin<<<1, 128, 0, stream>>>(values, 1000, 10);
    CHECK(cudaStreamSynchronize(stream));
    const bool good = to_host(values, 1000) == std::vector<int>(1000, 45);
    for (int i = 0; i < 20; ++i)
        spin<<<4, 128, 0, stream>>>(values, 1000, 200);
    CHECK(cudaGetLastError());
    return verdict(good);
}
