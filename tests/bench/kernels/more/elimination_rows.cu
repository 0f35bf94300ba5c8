// SPDX-License-Identifier: Apache-2.0
// Gaussian elimination, a launch a column, blocks along rows.
extern "C" __global__ void elimination_rows(float* a, int n, int t) {
    const int x = t + blockIdx.x * blockDim.x + threadIdx.x + 1, y = t + 1 + blockIdx.y;
    if (x >= n || y >= n) return;
    const float factor = a[y * n + t] / a[t * n + t];
    a[y * n + x] -= factor * a[t * n + x];
}
