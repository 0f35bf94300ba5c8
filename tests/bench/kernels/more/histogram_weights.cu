// SPDX-License-Identifier: Apache-2.0
// Sums of weights in 64 bins of shared memory, then atomically in global memory.
extern "C" __global__ void histogram_weights(const float* weights, const int* keys, float* out, int n) {
    __shared__ float bins[64];
    if (threadIdx.x < 64) bins[threadIdx.x] = 0.0f;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[keys[i]], weights[i]);
    __syncthreads();
    if (threadIdx.x < 64) atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}
