// SPDX-License-Identifier: Apache-2.0
// Matrix times vector, a thread a row.
extern "C" __global__ void matrix_vector_threads(const float* a, const float* x, float* y, int rows, int columns) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows) return;
    float sum = 0.0f;
    for (int j = 0; j < columns; ++j)
        sum += a[(size_t)i * columns + j] * x[j];
    y[i] = sum;
}
