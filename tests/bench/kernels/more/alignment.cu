// SPDX-License-Identifier: Apache-2.0
// Scores of two sequences: a launch for each diagonal of tiles of 16 x 16, a warp's half a tile.
extern "C" __global__ void alignment(const int* similar, int* scores, int n, int penalty, int first, int diagonal) {
    __shared__ int s[17][17], r[16][16];
    const int t = threadIdx.x, tile_x = first + blockIdx.x, tile_y = diagonal - tile_x;
    const int corner = tile_y * 16 * n + tile_x * 16;
    for (int y = 0; y < 16; ++y)
        r[y][t] = similar[corner + (y + 1) * n + t + 1];
    if (t == 0) s[0][0] = scores[corner];
    s[t + 1][0] = scores[corner + (t + 1) * n];
    s[0][t + 1] = scores[corner + t + 1];
    __syncthreads();
    for (int d = 0; d < 31; ++d) {
        const int x = t + 1, y = d - t + 1;
        if (y >= 1 && y <= 16)
            s[y][x] = max(max(s[y - 1][x - 1] + r[y - 1][x - 1], s[y][x - 1] - penalty), s[y - 1][x] - penalty);
        __syncthreads();
    }
    for (int y = 0; y < 16; ++y)
        scores[corner + (y + 1) * n + t + 1] = s[y + 1][t + 1];
}
