// SPDX-License-Identifier: Apache-2.0
// OpenCL 1.2 has no dot products of bytes.
#define TILE 16
int dot4(int a, int b, int sum) {
    const char4 x = as_char4(a), y = as_char4(b);
    return sum + x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w;
}
kernel void matmul(int n, int words, global const int* a, global const int* b, global int* c) {
    local int as[TILE][TILE];
    local int bs[TILE][TILE + 1];
    const int lx = get_local_id(0), ly = get_local_id(1);
    const int row = get_group_id(1) * TILE, column = get_group_id(0) * TILE;
    int sum = 0;
    for (int k = 0; k < words; k += TILE) {
        as[ly][lx] = a[(row + ly) * words + k + lx];
        bs[ly][lx] = b[(column + ly) * words + k + lx];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < TILE; ++i)
            sum = dot4(as[ly][i], bs[lx][i], sum);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[(row + ly) * n + column + lx] = sum;
}
