// SPDX-License-Identifier: Apache-2.0
// C = A B of n x n matrices, n a multiple of TILE. A block of TILE x ROWS threads makes a tile of C.
#ifndef TILE
#define TILE 16
#endif
#ifndef ROWS
#define ROWS 4
#endif
extern "C" __global__ void matmul(const float* A, const float* B, float* C, int n) {
    __shared__ float a[TILE][TILE], b[TILE][TILE];
    constexpr int each = (TILE + ROWS - 1) / ROWS;
    float sums[each] = {};
    const int column = blockIdx.x * TILE + threadIdx.x, top = blockIdx.y * TILE;
    for (int k = 0; k < n; k += TILE) {
        for (int row = threadIdx.y; row < TILE; row += ROWS) {
            a[row][threadIdx.x] = A[(top + row) * n + k + threadIdx.x];
            b[row][threadIdx.x] = B[(k + row) * n + column];
        }
        __syncthreads();
        for (int i = 0; i < each; ++i) {
            const int row = threadIdx.y + i * ROWS;
            if (row < TILE)
                for (int j = 0; j < TILE; ++j)
                    sums[i] += a[row][j] * b[j][threadIdx.x];
        }
        __syncthreads();
    }
    for (int i = 0; i < each; ++i)
        if (const int row = threadIdx.y + i * ROWS; row < TILE) C[(top + row) * n + column] = sums[i];
}
