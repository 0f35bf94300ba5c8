// SPDX-License-Identifier: Apache-2.0
// Odd-even transposition: n launches, each of which compares neighbours.
#include "program.hpp"

#include <algorithm>

__global__ void compare(int* values, int n, int odd) {
    const int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + odd;
    if (i + 1 < n && values[i] > values[i + 1]) {
        const int kept = values[i];
        values[i] = values[i + 1];
        values[i + 1] = kept;
    }
}

int main() {
    const int n = 777;
    auto values = random_ints(n, -1000, 1000);
    int* device = to_device(values);
    for (int round = 0; round < n; ++round)
        compare<<<4, 128>>>(device, n, round % 2);
    CHECK(cudaDeviceSynchronize());
    std::sort(values.begin(), values.end());
    const bool good = to_host(device, n) == values;
    CHECK(cudaFree(device));
    return verdict(good);
}
