// SPDX-License-Identifier: Apache-2.0
// c = a b of bytes with signs; b is stored by columns. A word has four bytes along the sum. Tiles of 16 x 16 words of
// both in shared memory; n and words are multiples of 16.
#define TILE 16
extern "C" __global__ void matmul(int n, int words, const int* a, const int* b, int* c) {
    __shared__ int as[TILE][TILE];
    __shared__ int bs[TILE][TILE + 1];
    const int row = blockIdx.y * TILE, column = blockIdx.x * TILE;
    int sum = 0;
    for (int k = 0; k < words; k += TILE) {
        as[threadIdx.y][threadIdx.x] = a[(row + threadIdx.y) * words + k + threadIdx.x];
        bs[threadIdx.y][threadIdx.x] = b[(column + threadIdx.y) * words + k + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < TILE; ++i)
            sum = __dp4a(as[threadIdx.y][i], bs[threadIdx.x][i], sum);
        __syncthreads();
    }
    c[(row + threadIdx.y) * n + column + threadIdx.x] = sum;
}
