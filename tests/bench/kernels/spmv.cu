// SPDX-License-Identifier: Apache-2.0
// Sparse matrix (compressed rows) times vector, a thread a row.
extern "C" __global__ void spmv(int rows, const int* offsets, const int* columns, const float* values, const float* x,
                                float* y) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0.0f;
    for (int i = offsets[row]; i < offsets[row + 1]; ++i)
        sum += values[i] * x[columns[i]];
    y[row] = sum;
}
