// SPDX-License-Identifier: Apache-2.0
// As reduction_shared, but a warp adds by shuffles.
__device__ float warp_sum(float sum) {
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, distance);
    return sum;
}
extern "C" __global__ void reduce(int n, const float* x, float* sums) {
    __shared__ float partial[8];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float sum = 0.0f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        sum += x[i];
    sum = warp_sum(sum);
    if (lane == 0) partial[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        sum = warp_sum(lane < 8 ? partial[lane] : 0.0f);
        if (lane == 0) sums[blockIdx.x] = sum;
    }
}
