// SPDX-License-Identifier: Apache-2.0
__device__ int twice(int x) { return 2 * x; }
__device__ int offset = 1;
__managed__ int total;

__global__ void child(int d) { atomicAdd(&total, d); }
__global__ void parent() {
    total = twice(5);
    child<<<1, 4>>>(1);
}

int run_part() {
    parent<<<1, 1>>>();
    return cudaDeviceSynchronize() == cudaSuccess ? total : -1;
}
