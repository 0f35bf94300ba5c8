// SPDX-License-Identifier: Apache-2.0
// PoCL 3.1 has no sub-group shuffles: local memory instead.
#define THREADS 256
kernel void add_segments(global const int* segments, global const int* values, volatile global int* sums) {
    local int shared_segments[THREADS], s[2][THREADS];
    const int i = get_global_id(0), t = get_local_id(0), lane = t % 32;
    const int segment = segments[i];
    shared_segments[t] = segment;
    s[0][t] = values[i];
    int from = 0;
    for (int distance = 1; distance < 32; distance *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        const bool adds = lane >= distance && shared_segments[t - distance] == segment;
        s[1 - from][t] = adds ? s[from][t] + s[from][t - distance] : s[from][t];
        from = 1 - from;
    }
    if (lane == 31 || shared_segments[t + 1] != segment) atomic_add(&sums[segment], s[from][t]);
}
