// SPDX-License-Identifier: Apache-2.0
#define THREADS 256
#define SUM 0x40000000u
#define PREFIX 0x80000000u
#define VALUE 0x3fffffffu
kernel void scan(global const int4* in, global int4* out, volatile global unsigned* state,
                 volatile global int* next_tile) {
    local int s[2][THREADS];
    local int shared_tile, shared_prefix;
    const int t = get_local_id(0);
    if (t == 0) shared_tile = atomic_add(next_tile, 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    const int tile = shared_tile;

    const int4 v = in[tile * THREADS + t];
    int from = 0;
    s[0][t] = v.x + v.y + v.z + v.w;
    for (int distance = 1; distance < THREADS; distance *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        s[1 - from][t] = t >= distance ? s[from][t] + s[from][t - distance] : s[from][t];
        from = 1 - from;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    if (t == 0) {
        const int sum = s[from][THREADS - 1];
        int prefix = 0;
        if (tile > 0) {
            atomic_xchg(&state[tile], SUM | sum);
            for (int before = tile - 1;;) {
                const unsigned word = state[before];
                if (word & PREFIX) {
                    prefix += word & VALUE;
                    break;
                }
                if (word & SUM) {
                    prefix += word & VALUE;
                    --before;
                }
            }
        }
        atomic_xchg(&state[tile], PREFIX | (prefix + sum));
        shared_prefix = prefix;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    int4 result;
    result.x = shared_prefix + (t > 0 ? s[from][t - 1] : 0);
    result.y = result.x + v.x;
    result.z = result.y + v.y;
    result.w = result.z + v.z;
    out[tile * THREADS + t] = result;
}
