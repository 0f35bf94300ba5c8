// SPDX-License-Identifier: Apache-2.0
// Fails: with a rim. The threads that read decide which of them write.
#define TILE 16
extern "C" __global__ void transpose(const float* in, float* out, int rows, int columns) {
    __shared__ float tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    const bool inside = x < columns && y < rows;
    if (inside) tile[threadIdx.y][threadIdx.x] = in[y * columns + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    if (inside) out[y * rows + x] = tile[threadIdx.x][threadIdx.y];
}
