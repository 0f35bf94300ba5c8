// SPDX-License-Identifier: Apache-2.0
// PoCL 3.1 has no sub-group shuffles: the whole block's sums go through local memory.
#define THREADS 1024
kernel void scan_blocks(global const int* in, global int* out, global int* sums) {
    local int s[2][THREADS];
    const int i = get_global_id(0), t = get_local_id(0);
    const int value = in[i];
    int from = 0;
    s[0][t] = value;
    for (int distance = 1; distance < THREADS; distance *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        s[1 - from][t] = t >= distance ? s[from][t] + s[from][t - distance] : s[from][t];
        from = 1 - from;
    }
    out[i] = s[from][t] - value;
    if (t == THREADS - 1) sums[get_group_id(0)] = s[from][t];
}
kernel void add_sums(global int* out, global const int* sums) { out[get_global_id(0)] += sums[get_group_id(0)]; }
