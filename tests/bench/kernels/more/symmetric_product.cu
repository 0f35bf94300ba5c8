// SPDX-License-Identifier: Apache-2.0
// A product of a matrix with its own transpose, summed up in memory.
extern "C" __global__ void symmetric_product(const float* a, float* c, int n, int m, float alpha, float beta) {
    const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= n || j >= n) return;
    c[i * n + j] *= beta;
    for (int k = 0; k < m; ++k)
        c[i * n + j] += alpha * a[i * m + k] * a[j * m + k];
}
