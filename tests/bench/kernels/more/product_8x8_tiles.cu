// SPDX-License-Identifier: Apache-2.0
// Product of matrices by tiles of 8 x 8 in shared memory.
extern "C" __global__ void product_8x8_tiles(const float* a, const float* b, float* c, int n) {
    __shared__ float sa[8][8], sb[8][8];
    const int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 8 + tx, y = blockIdx.y * 8 + ty;
    float sum = 0.0f;
    for (int k = 0; k < n; k += 8) {
        sa[ty][tx] = a[y * n + k + tx];
        sb[ty][tx] = b[(k + ty) * n + x];
        __syncthreads();
        for (int i = 0; i < 8; ++i)
            sum += sa[ty][i] * sb[i][tx];
        __syncthreads();
    }
    c[y * n + x] = sum;
}
