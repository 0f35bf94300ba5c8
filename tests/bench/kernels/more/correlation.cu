// SPDX-License-Identifier: Apache-2.0
// Products of all pairs of columns, a thread a column, with those behind it.
extern "C" __global__ void correlation(const float* data, float* out, int n, int columns) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= columns) return;
    for (int j = i; j < columns; ++j) {
        out[i * columns + j] = 0.0f;
        for (int k = 0; k < n; ++k)
            out[i * columns + j] += data[k * columns + i] * data[k * columns + j];
        out[j * columns + i] = out[i * columns + j];
    }
}
