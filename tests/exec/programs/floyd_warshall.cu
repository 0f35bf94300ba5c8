// SPDX-License-Identifier: Apache-2.0
// Shortest paths between all pairs, one launch an intermediate vertex.
#include "program.hpp"

#include <algorithm>

__global__ void relax(int* distance, int n, int k) {
    const int i = blockIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= n) return;
    const int through = distance[i * n + k] + distance[k * n + j];
    if (through < distance[i * n + j]) distance[i * n + j] = through;
}

int main() {
    const int n = 60;
    auto distance = random_ints(n * n, 1, 500);
    for (int i = 0; i < n; ++i)
        distance[i * n + i] = 0;
    int* device = to_device(distance);
    for (int k = 0; k < n; ++k)
        relax<<<dim3(1, n), 64>>>(device, n, k);
    for (int k = 0; k < n; ++k)
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
                distance[i * n + j] = std::min(distance[i * n + j], distance[i * n + k] + distance[k * n + j]);
    const bool good = to_host(device, n * n) == distance;
    CHECK(cudaFree(device));
    return verdict(good);
}
