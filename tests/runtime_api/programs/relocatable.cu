// SPDX-License-Identifier: Apache-2.0
// Linked with relocatable_part.cu by -rdc=true: device code of two files, and launches from a kernel.
#include <cstdio>

extern __device__ int twice(int x);
extern __device__ int offset;
int run_part();

__global__ void use(int* out) { *out = twice(21) + offset; }

int main() {
    int* out = nullptr;
    if (cudaMallocManaged(&out, sizeof *out) != cudaSuccess) return 1;
    use<<<1, 1>>>(out);
    if (cudaDeviceSynchronize() != cudaSuccess || *out != 43) return 2;
    const int value = 100;
    if (cudaMemcpyToSymbol(offset, &value, sizeof value) != cudaSuccess) return 3;
    use<<<1, 1>>>(out);
    if (cudaDeviceSynchronize() != cudaSuccess || *out != 142) return 4;
    if (run_part() != 14) return 5;
    std::printf("ok\n");
}
