// SPDX-License-Identifier: Apache-2.0
// Product of matrices of any size by tiles of 16 x 16: what lies outside is zero.
extern "C" __global__ void product_bounds(const float* a, const float* b, float* c, int m, int n, int k) {
    __shared__ float sa[16][16], sb[16][16];
    const int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
    float sum = 0.0f;
    for (int t = 0; t < (k + 15) / 16; ++t) {
        const int ka = t * 16 + tx, kb = t * 16 + ty;
        sa[ty][tx] = y < m && ka < k ? a[y * k + ka] : 0.0f;
        sb[ty][tx] = x < n && kb < k ? b[kb * n + x] : 0.0f;
        __syncthreads();
        for (int i = 0; i < 16; ++i)
            sum += sa[ty][i] * sb[i][tx];
        __syncthreads();
    }
    if (y < m && x < n) c[y * n + x] = sum;
}
