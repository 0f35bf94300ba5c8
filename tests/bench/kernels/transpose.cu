// SPDX-License-Identifier: Apache-2.0
// A tile goes through shared memory, so that both sides are read and written along rows. n is a multiple of 32.
#define TILE 32
#define ROWS 8
extern "C" __global__ void transpose(int n, const float* in, float* out) {
    __shared__ float tile[TILE][TILE + 1];
    const int x = blockIdx.x * TILE + threadIdx.x;
    const int y = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS)
        tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
    __syncthreads();
    const int tx = blockIdx.y * TILE + threadIdx.x;
    const int ty = blockIdx.x * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS)
        out[(ty + j) * n + tx] = tile[threadIdx.x][threadIdx.y + j];
}
