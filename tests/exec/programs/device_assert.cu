// SPDX-License-Identifier: Apache-2.0
// An assertion that fails ends the kernel, and all that comes after it fails with its code.
#undef NDEBUG
#include "program.hpp"

#include <cassert>

__global__ void positive(const int* values, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) assert(values[i] > 0);
}

int main() {
    int* values = to_device(std::vector<int>{1, 2, 3, 4});
    positive<<<1, 4>>>(values, 4);
    bool good = cudaDeviceSynchronize() == cudaSuccess;
    CHECK(cudaMemset(values + 2, 0, sizeof(int)));
    positive<<<1, 4>>>(values, 4);
    good &= cudaDeviceSynchronize() == cudaErrorAssert;
    good &= cudaGetLastError() == cudaErrorAssert;
    int* more = nullptr;
    good &= cudaMalloc(&more, 4) == cudaErrorAssert;
    return verdict(good);
}
