// SPDX-License-Identifier: Apache-2.0
kernel void spmv(int rows, global const int* offsets, global const int* columns, global const float* values,
                 global const float* x, global float* y) {
    const int row = get_global_id(0);
    if (row >= rows) return;
    float sum = 0.0f;
    for (int i = offsets[row]; i < offsets[row + 1]; ++i)
        sum += values[i] * x[columns[i]];
    y[row] = sum;
}
