// SPDX-License-Identifier: Apache-2.0
// Sparse matrix (compressed rows) times vector, a warp a row. Blocks of 256 threads.
extern "C" __global__ void spmv(int rows, const int* offsets, const int* columns, const float* values, const float* x,
                                float* y) {
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    float sum = 0.0f;
    for (int i = offsets[row] + lane; i < offsets[row + 1]; i += 32)
        sum += values[i] * x[columns[i]];
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, distance);
    if (lane == 0) y[row] = sum;
}
