// SPDX-License-Identifier: Apache-2.0
// PoCL 3.1 has no sub-groups: the digits of 32 neighbours lie in local memory, and so do sums.
#define THREADS 256
#define WARPS 8
#define ITEMS 8
#define DIGITS 256
kernel void count(int shift, global const unsigned* keys, global int* counts) {
    volatile local int bins[DIGITS];
    const int t = get_local_id(0);
    bins[t] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const int base = get_group_id(0) * THREADS * ITEMS;
    for (int i = 0; i < ITEMS; ++i)
        atomic_inc(&bins[keys[base + i * THREADS + t] >> shift & (DIGITS - 1)]);
    barrier(CLK_LOCAL_MEM_FENCE);
    counts[t * get_num_groups(0) + get_group_id(0)] = bins[t];
}
kernel void scan(int n, global int* counts) {
    local int s[2][1024];
    const int t = get_local_id(0);
    int before = 0;
    for (int i = t; i < n; i += 1024) {
        const int count = counts[i];
        int from = 0;
        s[0][t] = count;
        for (int distance = 1; distance < 1024; distance *= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            s[1 - from][t] = t >= distance ? s[from][t] + s[from][t - distance] : s[from][t];
            from = 1 - from;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        counts[i] = before + s[from][t] - count;
        before += s[from][1023];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
kernel void scatter(int shift, global const unsigned* in, global const int* counts, global unsigned* out) {
    local int places[WARPS][DIGITS];
    local unsigned digits[THREADS];
    const int t = get_local_id(0), lane = t % 32, warp = t / 32;
    const int base = get_group_id(0) * THREADS * ITEMS + warp * 32 * ITEMS;
    for (int i = 0; i < WARPS; ++i)
        places[i][t] = 0;
    unsigned keys[ITEMS];
    int ranks[ITEMS];
    for (int i = 0; i < ITEMS; ++i) {
        keys[i] = in[base + i * 32 + lane];
        const unsigned digit = keys[i] >> shift & (DIGITS - 1);
        digits[t] = digit;
        barrier(CLK_LOCAL_MEM_FENCE);
        int before = 0, same = 0;
        for (int other = 0; other < 32; ++other) {
            const int equal = digits[warp * 32 + other] == digit;
            same += equal;
            before += other < lane ? equal : 0;
        }
        ranks[i] = places[warp][digit] + before;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (before == 0) places[warp][digit] += same;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    int place = counts[t * get_num_groups(0) + get_group_id(0)];
    for (int i = 0; i < WARPS; ++i) {
        const int count = places[i][t];
        places[i][t] = place;
        place += count;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < ITEMS; ++i)
        out[places[warp][keys[i] >> shift & (DIGITS - 1)] + ranks[i]] = keys[i];
}
