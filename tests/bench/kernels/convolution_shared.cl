// SPDX-License-Identifier: Apache-2.0
#define RADIUS 3
#define SIDE (2 * RADIUS + 1)
#define TILE_X 32
#define TILE_Y 8
kernel void convolve(int width, int height, global const float* restrict image, constant float* restrict weights,
                     global float* restrict out) {
    local float tile[TILE_Y + 2 * RADIUS][TILE_X + 2 * RADIUS];
    const int lx = get_local_id(0), ly = get_local_id(1);
    const int left = get_group_id(0) * TILE_X - RADIUS, top = get_group_id(1) * TILE_Y - RADIUS;
    for (int y = ly; y < TILE_Y + 2 * RADIUS; y += TILE_Y) {
        for (int x = lx; x < TILE_X + 2 * RADIUS; x += TILE_X) {
            const int ix = left + x, iy = top + y;
            const bool inside = ix >= 0 && ix < width && iy >= 0 && iy < height;
            tile[y][x] = inside ? image[iy * width + ix] : 0.0f;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height) return;
    float sum = 0.0f;
    for (int dy = 0; dy < SIDE; ++dy)
        for (int dx = 0; dx < SIDE; ++dx)
            sum += weights[dy * SIDE + dx] * tile[ly + dy][lx + dx];
    out[y * width + x] = sum;
}
