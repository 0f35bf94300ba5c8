// SPDX-License-Identifier: Apache-2.0
// Each row less its mean, over its standard deviation, times a scale plus a shift a column: a block of 256 threads a
// row. Warps add by shuffles, the block by shared memory.
#define WARPS 8
__device__ float warp_sum(float sum) {
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, distance);
    return sum;
}
/// Every thread gets it.
__device__ float block_sum(float sum) {
    __shared__ float warps[WARPS], total;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    sum = warp_sum(sum);
    if (lane == 0) warps[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        sum = warp_sum(lane < WARPS ? warps[lane] : 0.0f);
        if (lane == 0) total = sum;
    }
    __syncthreads();
    return total;
}
extern "C" __global__ void layer_norm(int columns, const float* in, const float* scale, const float* shift,
                                      float* out) {
    in += blockIdx.x * columns;
    out += blockIdx.x * columns;
    float sum = 0.0f;
    for (int i = threadIdx.x; i < columns; i += blockDim.x)
        sum += in[i];
    const float mean = block_sum(sum) / columns;
    float squares = 0.0f;
    for (int i = threadIdx.x; i < columns; i += blockDim.x) {
        const float deviation = in[i] - mean;
        squares += deviation * deviation;
    }
    const float inverse = rsqrtf(block_sum(squares) / columns + 1e-5f);
    for (int i = threadIdx.x; i < columns; i += blockDim.x)
        out[i] = (in[i] - mean) * inverse * scale[i] + shift[i];
}
