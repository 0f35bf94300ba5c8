// SPDX-License-Identifier: Apache-2.0
#define TILE 32
#define ROWS 8
kernel void transpose(int n, global const float* in, global float* out) {
    local float tile[TILE][TILE + 1];
    const int lx = get_local_id(0), ly = get_local_id(1);
    const int x = get_group_id(0) * TILE + lx;
    const int y = get_group_id(1) * TILE + ly;
    for (int j = 0; j < TILE; j += ROWS)
        tile[ly + j][lx] = in[(y + j) * n + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    const int tx = get_group_id(1) * TILE + lx;
    const int ty = get_group_id(0) * TILE + ly;
    for (int j = 0; j < TILE; j += ROWS)
        out[(ty + j) * n + tx] = tile[lx][ly + j];
}
