// SPDX-License-Identifier: Apache-2.0
#define TILE 32
kernel void own_tile(int n, int round, global int* distances) {
    local int own[TILE][TILE];
    const int x = get_local_id(0), y = get_local_id(1);
    const int place = (round * TILE + y) * n + round * TILE + x;
    own[y][x] = distances[place];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < TILE; ++k) {
        const int way = own[y][k] + own[k][x];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (way < own[y][x]) own[y][x] = way;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    distances[place] = own[y][x];
}
kernel void row_and_column(int n, int round, global int* distances) {
    local int own[TILE][TILE];
    local int tile[TILE][TILE];
    const int group = get_group_id(0);
    if (group == round) return;
    const bool is_row = get_group_id(1) == 0;
    const int x = get_local_id(0), y = get_local_id(1);
    const int row = is_row ? round : group, column = is_row ? group : round;
    const int place = (row * TILE + y) * n + column * TILE + x;
    own[y][x] = distances[(round * TILE + y) * n + round * TILE + x];
    tile[y][x] = distances[place];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < TILE; ++k) {
        const int way = is_row ? own[y][k] + tile[k][x] : tile[y][k] + own[k][x];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (way < tile[y][x]) tile[y][x] = way;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    distances[place] = tile[y][x];
}
kernel void others(int n, int round, global int* distances) {
    local int left[TILE][TILE];
    local int top[TILE][TILE];
    if (get_group_id(0) == round || get_group_id(1) == round) return;
    const int x = get_local_id(0), y = get_local_id(1);
    const int row = get_global_id(1), column = get_global_id(0);
    left[y][x] = distances[row * n + round * TILE + x];
    top[y][x] = distances[(round * TILE + y) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    int distance = distances[row * n + column];
    for (int k = 0; k < TILE; ++k)
        distance = min(distance, left[y][k] + top[k][x]);
    distances[row * n + column] = distance;
}
