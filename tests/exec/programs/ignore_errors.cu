// SPDX-License-Identifier: Apache-2.0
// Looks at no result: wrong sizes, launches that cannot be, freed memory. What is right still works.
#include "program.hpp"

__global__ void set(int* values, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] = i;
}

int main() {
    const int n = 256;
    int *values = nullptr, *never = nullptr, host[n] = {};
    cudaSetDevice(7);
    cudaMalloc(&never, ~size_t(0));
    cudaMalloc(&values, sizeof host);
    cudaMemcpy(values, host, 10 * sizeof host, cudaMemcpyHostToDevice);
    set<<<1, 5000>>>(values, n);
    set<<<2, 128>>>(values, n);
    cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(host);
    cudaFree(values);
    cudaFree(values);
    cudaDeviceSynchronize();
    bool good = true;
    for (int i = 0; i < n; ++i)
        good &= host[i] == i;
    return verdict(good);
}
