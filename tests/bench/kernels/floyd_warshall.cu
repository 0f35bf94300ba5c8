// SPDX-License-Identifier: Apache-2.0
// Shortest paths between all vertices, by tiles of 32 x 32: each round takes the paths through 32 more vertices, first
// in their own tile, then in the tiles of its row and column, then in all others.
#define TILE 32
extern "C" __global__ void own_tile(int n, int round, int* distances) {
    __shared__ int own[TILE][TILE];
    const int x = threadIdx.x, y = threadIdx.y;
    const int place = (round * TILE + y) * n + round * TILE + x;
    own[y][x] = distances[place];
    __syncthreads();
    for (int k = 0; k < TILE; ++k) {
        const int way = own[y][k] + own[k][x];
        __syncthreads();
        if (way < own[y][x]) own[y][x] = way;
        __syncthreads();
    }
    distances[place] = own[y][x];
}
/// blockIdx.y: 0 for the row, 1 for the column.
extern "C" __global__ void row_and_column(int n, int round, int* distances) {
    if (blockIdx.x == round) return;
    __shared__ int own[TILE][TILE];
    __shared__ int tile[TILE][TILE];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y == 0 ? round : blockIdx.x, column = blockIdx.y == 0 ? blockIdx.x : round;
    const int place = (row * TILE + y) * n + column * TILE + x;
    own[y][x] = distances[(round * TILE + y) * n + round * TILE + x];
    tile[y][x] = distances[place];
    __syncthreads();
    for (int k = 0; k < TILE; ++k) {
        const int way = blockIdx.y == 0 ? own[y][k] + tile[k][x] : tile[y][k] + own[k][x];
        __syncthreads();
        if (way < tile[y][x]) tile[y][x] = way;
        __syncthreads();
    }
    distances[place] = tile[y][x];
}
extern "C" __global__ void others(int n, int round, int* distances) {
    if (blockIdx.x == round || blockIdx.y == round) return;
    __shared__ int left[TILE][TILE];
    __shared__ int top[TILE][TILE];
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
    left[y][x] = distances[row * n + round * TILE + x];
    top[y][x] = distances[(round * TILE + y) * n + column];
    __syncthreads();
    int distance = distances[row * n + column];
    for (int k = 0; k < TILE; ++k)
        distance = min(distance, left[y][k] + top[k][x]);
    distances[row * n + column] = distance;
}
