// SPDX-License-Identifier: Apache-2.0
// No matrix instructions here: 32 work-items share a tile of 16 x 16, eight elements each, over tiles in local memory.
kernel void product(int n, global const half* a, global const half* b, global float* c) {
    local float as[4][16][16];
    local float bs[4][16][16];
    const int lane = get_local_id(0), warp = get_local_id(1);
    const int row = get_group_id(1) * 16, column = (get_group_id(0) * get_local_size(1) + warp) * 16;
    const int y = lane / 2, x = lane % 2 * 8;
    float sum[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    for (int k = 0; k < n; k += 16) {
        for (int i = 0; i < 8; ++i) {
            as[warp][y][x + i] = vload_half((row + y) * n + k + x + i, a);
            bs[warp][x + i][y] = vload_half((column + y) * n + k + x + i, b);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < 16; ++j)
            for (int i = 0; i < 8; ++i)
                sum[i] += as[warp][y][j] * bs[warp][j][x + i];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int i = 0; i < 8; ++i)
        c[(row + y) * n + column + x + i] = sum[i];
}
