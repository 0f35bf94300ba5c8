// SPDX-License-Identifier: Apache-2.0
// Product of matrices by tiles of 64 x 64, 4 x 4 results a thread.
extern "C" __global__ void product_4x4_threads(const float* a, const float* b, float* c, int n) {
    __shared__ float sa[16][64], sb[16][64];
    const int tx = threadIdx.x, ty = threadIdx.y, t = ty * 16 + tx;
    float sums[4][4] = {};
    for (int k0 = 0; k0 < n; k0 += 16) {
        for (int l = 0; l < 4; ++l) {
            const int e = t + l * 256;
            sa[e % 16][e / 16] = a[(blockIdx.y * 64 + e / 16) * n + k0 + e % 16];
            sb[e / 64][e % 64] = b[(k0 + e / 64) * n + blockIdx.x * 64 + e % 64];
        }
        __syncthreads();
        for (int k = 0; k < 16; ++k) {
            float x[4], y[4];
            for (int i = 0; i < 4; ++i) {
                x[i] = sa[k][ty * 4 + i];
                y[i] = sb[k][tx * 4 + i];
            }
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 4; ++j)
                    sums[i][j] += x[i] * y[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            c[(blockIdx.y * 64 + ty * 4 + i) * n + blockIdx.x * 64 + tx * 4 + j] = sums[i][j];
}
