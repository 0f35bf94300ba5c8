// SPDX-License-Identifier: Apache-2.0
// The sum of n numbers. Lanes add up within their warp by shuffles, warps by shared memory, blocks by an atomic.
__device__ float warp_sum(float value) {
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffffu, value, offset);
    return value;  // lane 0 has the sum of all 32
}

extern "C" __global__ void reduce(const float* in, float* sum, int n) {
    __shared__ float warps[32];
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;

    float value = 0.0f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) value += in[i];

    value = warp_sum(value);
    if (lane == 0) warps[warp] = value;
    __syncthreads();

    if (warp == 0) {
        value = lane < blockDim.x / 32 ? warps[lane] : 0.0f;
        value = warp_sum(value);
        if (lane == 0) atomicAdd(sum, value);
    }
}
