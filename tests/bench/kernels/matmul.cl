// SPDX-License-Identifier: Apache-2.0
#define TILE 16
kernel void matmul(int n, global const float* a, global const float* b, global float* c) {
    local float as[TILE][TILE];
    local float bs[TILE][TILE];
    const int lx = get_local_id(0), ly = get_local_id(1);
    const int row = get_group_id(1) * TILE + ly;
    const int column = get_group_id(0) * TILE + lx;
    float sum = 0.0f;
    for (int k = 0; k < n; k += TILE) {
        as[ly][lx] = a[row * n + k + lx];
        bs[ly][lx] = b[(k + ly) * n + column];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < TILE; ++i)
            sum += as[ly][i] * bs[i][lx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[row * n + column] = sum;
}
