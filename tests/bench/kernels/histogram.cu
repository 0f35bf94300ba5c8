// SPDX-License-Identifier: Apache-2.0
// How often each byte occurs: a block counts in shared memory. Blocks of 256 threads; a thread reads four bytes at once.
extern "C" __global__ void histogram(int words, const unsigned* in, unsigned* bins) {
    __shared__ unsigned counts[256];
    counts[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < words; i += gridDim.x * blockDim.x) {
        const unsigned word = in[i];
        atomicAdd(&counts[word & 255], 1);
        atomicAdd(&counts[word >> 8 & 255], 1);
        atomicAdd(&counts[word >> 16 & 255], 1);
        atomicAdd(&counts[word >> 24], 1);
    }
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
