// SPDX-License-Identifier: Apache-2.0
// y = A' (A x), a thread a row and then a column, summed up in memory.
extern "C" __global__ void rows(const float* a, const float* x, float* t, int n, int m) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    t[i] = 0.0f;
    for (int j = 0; j < m; ++j)
        t[i] += a[i * m + j] * x[j];
}

extern "C" __global__ void columns(const float* a, const float* t, float* y, int n, int m) {
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= m) return;
    y[j] = 0.0f;
    for (int i = 0; i < n; ++i)
        y[j] += a[i * m + j] * t[i];
}
