// SPDX-License-Identifier: Apache-2.0
// Loops over rows of every length, which CUDA's compilers unroll by four: what is left over is a loop of its own.

extern "C" __global__ void sums(int rows, const int* offsets, const int* columns, const float* values, const float* x,
                                float* y) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0.0f;
    for (int i = offsets[row]; i < offsets[row + 1]; ++i)
        sum += values[i] * x[columns[i]];
    y[row] = sum;
}
extern "C" __global__ void double_sums(int rows, const int* offsets, const int* columns, const double* values,
                                       const double* x, double* y) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    double sum = 0.0;
    for (int i = offsets[row]; i < offsets[row + 1]; ++i)
        sum += values[i] * x[columns[i]];
    y[row] = sum;
}
/// The greatest, and where it was last: two values leave the loop, one of them chosen by the other.
extern "C" __global__ void greatest(int rows, const int* offsets, const int* columns, const long long* values,
                                    long long* most, int* where) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    long long best = -1000000;
    int at = -1;
    for (int i = offsets[row]; i < offsets[row + 1]; ++i)
        if (values[columns[i]] >= best) {
            best = values[columns[i]];
            at = i;
        }
    most[row] = best;
    where[row] = at;
}
