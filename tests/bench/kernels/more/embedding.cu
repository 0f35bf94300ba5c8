// SPDX-License-Identifier: Apache-2.0
// Rows of a table, by a flat index.
extern "C" __global__ void embedding(const float* table, const int* rows, float* out, int columns, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int row = i / columns, column = i % columns;
    out[i] = table[rows[row] * columns + column];
}
