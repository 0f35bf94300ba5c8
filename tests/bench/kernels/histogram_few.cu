// SPDX-License-Identifier: Apache-2.0
// How often each number below 16 occurs, counted in global memory.
extern "C" __global__ void histogram(int n, const int* in, int* bins) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[in[i]], 1);
}
