// SPDX-License-Identifier: Apache-2.0
// How often each byte value occurs. Each block counts in shared memory, then adds its counts to the result.
extern "C" __global__ void histogram(const unsigned char* data, unsigned int* bins, int n) {
    __shared__ unsigned int counts[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x) counts[i] = 0;
    __syncthreads();

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&counts[data[i]], 1u);
    __syncthreads();

    for (int i = threadIdx.x; i < 256; i += blockDim.x) atomicAdd(&bins[i], counts[i]);
}
