// SPDX-License-Identifier: Apache-2.0
// Softmax of each row: a block of 128 threads a row. Warps find maxima and sums by shuffles, the block by shared memory.
#define WARPS 4
__device__ float block_max(float value) {
    __shared__ float warps[WARPS];
    for (int distance = 16; distance > 0; distance /= 2)
        value = fmaxf(value, __shfl_xor_sync(0xffffffff, value, distance));
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = value;
    __syncthreads();
    for (int i = 0; i < WARPS; ++i)
        value = fmaxf(value, warps[i]);
    return value;
}
__device__ float block_sum(float value) {
    __shared__ float warps[WARPS];
    for (int distance = 16; distance > 0; distance /= 2)
        value += __shfl_xor_sync(0xffffffff, value, distance);
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = value;
    __syncthreads();
    float sum = 0.0f;
    for (int i = 0; i < WARPS; ++i)
        sum += warps[i];
    return sum;
}
extern "C" __global__ void softmax(int columns, const float* in, float* out) {
    in += blockIdx.x * columns;
    out += blockIdx.x * columns;
    float most = __int_as_float(0xff800000); // minus infinity
    for (int i = threadIdx.x; i < columns; i += blockDim.x)
        most = fmaxf(most, in[i]);
    most = block_max(most);
    float sum = 0.0f;
    for (int i = threadIdx.x; i < columns; i += blockDim.x) {
        const float power = expf(in[i] - most);
        out[i] = power;
        sum += power;
    }
    const float factor = 1.0f / block_sum(sum);
    for (int i = threadIdx.x; i < columns; i += blockDim.x)
        out[i] *= factor;
}
