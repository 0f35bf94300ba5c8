// SPDX-License-Identifier: Apache-2.0
// C = A * B for n x n matrices, n a multiple of TILE. A block computes one tile of C.
#define TILE 16

extern "C" __global__ void matmul(const float* A, const float* B, float* C, int n) {
    __shared__ float a[TILE][TILE];
    __shared__ float b[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y;
    int column = blockIdx.x * TILE + x;

    float sum = 0.0f;
    for (int k = 0; k < n; k += TILE) {
        a[y][x] = A[row * n + k + x];
        b[y][x] = B[(k + y) * n + column];
        __syncthreads();  // both tiles are complete
        for (int i = 0; i < TILE; ++i) sum += a[y][i] * b[i][x];
        __syncthreads();  // nobody needs them any more
    }
    C[row * n + column] = sum;
}
