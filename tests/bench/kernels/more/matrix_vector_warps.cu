// SPDX-License-Identifier: Apache-2.0
// Matrix times vector, a warp a row.
extern "C" __global__ void matrix_vector_warps(const float* a, const float* x, float* y, int rows, int columns) {
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
    if (row >= rows) return;
    const float* r = a + (size_t)row * columns;
    float sum = 0.0f;
    for (int j = lane; j < columns; j += 32)
        sum += r[j] * x[j];
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_down_sync(~0u, sum, d);
    if (lane == 0) y[row] = sum;
}
