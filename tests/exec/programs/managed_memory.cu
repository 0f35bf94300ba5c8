// SPDX-License-Identifier: Apache-2.0
// Managed memory: an array, a list that the host builds and a kernel walks, a managed variable.
#include "program.hpp"

struct Node {
    int value;
    Node* next;
};

__managed__ int total = 5;

__global__ void walk(const Node* first) {
    for (const Node* node = first; node; node = node->next)
        total += node->value;
}

__global__ void square(int* values, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] *= values[i];
}

int main() {
    const int n = 1000;
    int* values = nullptr;
    CHECK(cudaMallocManaged(&values, n * sizeof(int)));
    for (int i = 0; i < n; ++i)
        values[i] = i;
    cudaDeviceProp properties;
    CHECK(cudaGetDeviceProperties(&properties, 0));
#if CUDART_VERSION >= 13000
    CHECK(cudaMemAdvise(values, n * sizeof(int), cudaMemAdviseSetReadMostly,
                        cudaMemLocation{cudaMemLocationTypeDevice, 0}));
#else
    CHECK(cudaMemAdvise(values, n * sizeof(int), cudaMemAdviseSetReadMostly, 0));
#endif
    square<<<4, 256>>>(values, n);
    CHECK(cudaDeviceSynchronize());
    bool good = properties.managedMemory != 0;
    for (int i = 0; i < n; ++i)
        good &= values[i] == i * i;
    Node* first = nullptr;
    for (int i = 1; i <= 10; ++i) {
        Node* node = nullptr;
        CHECK(cudaMallocManaged(&node, sizeof(Node)));
        *node = {i, first};
        first = node;
    }
    walk<<<1, 1>>>(first);
    CHECK(cudaDeviceSynchronize());
    good &= total == 60;
    total = 7;
    walk<<<1, 1>>>(first->next);
    CHECK(cudaDeviceSynchronize());
    good &= total == 52;
    while (first) {
        Node* const next = first->next;
        CHECK(cudaFree(first));
        first = next;
    }
    CHECK(cudaFree(values));
    return verdict(good);
}
