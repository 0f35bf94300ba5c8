// SPDX-License-Identifier: Apache-2.0
#define CLUSTERS 32
// OpenCL 1.2 adds floats atomically by comparing and exchanging their bits. A macro, as address spaces differ.
#define ATOMIC_ADD(space)                                                                                              \
    void atomic_add_##space(volatile space float* to, float value) {                                                   \
        volatile space unsigned* bits = (volatile space unsigned*)to;                                                  \
        unsigned old = *bits, expected;                                                                                \
        do {                                                                                                           \
            expected = old;                                                                                            \
            old = atomic_cmpxchg(bits, expected, as_uint(as_float(expected) + value));                                 \
        } while (old != expected);                                                                                     \
    }
ATOMIC_ADD(local)
ATOMIC_ADD(global)
kernel void assign(int n, global const float4* points, global const float4* centres, global int* clusters,
                   volatile global float* sums, volatile global int* counts) {
    local float4 shared_centres[CLUSTERS];
    volatile local float block_sums[CLUSTERS * 4];
    volatile local int block_counts[CLUSTERS];
    const int t = get_local_id(0);
    if (t < CLUSTERS) {
        shared_centres[t] = centres[t];
        block_counts[t] = 0;
    }
    if (t < CLUSTERS * 4) block_sums[t] = 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
        const float4 p = points[i];
        int cluster = 0;
        float least = 3e38f;
        for (int k = 0; k < CLUSTERS; ++k) {
            const float4 d = p - shared_centres[k];
            const float distance = d.x * d.x + d.y * d.y + d.z * d.z + d.w * d.w;
            if (distance < least) {
                least = distance;
                cluster = k;
            }
        }
        clusters[i] = cluster;
        atomic_add_local(&block_sums[cluster * 4], p.x);
        atomic_add_local(&block_sums[cluster * 4 + 1], p.y);
        atomic_add_local(&block_sums[cluster * 4 + 2], p.z);
        atomic_add_local(&block_sums[cluster * 4 + 3], p.w);
        atomic_inc(&block_counts[cluster]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < CLUSTERS * 4) atomic_add_global(&sums[t], block_sums[t]);
    if (t < CLUSTERS) atomic_add(&counts[t], block_counts[t]);
}
kernel void update(global const float* sums, global const int* counts, global float* centres) {
    const int t = get_local_id(0), count = counts[t / 4];
    if (count > 0) centres[t] = sums[t] / count;
}
