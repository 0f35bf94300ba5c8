// SPDX-License-Identifier: Apache-2.0
kernel void histogram(int words, global const unsigned* in, volatile global unsigned* bins) {
    volatile local unsigned counts[256];
    const int t = get_local_id(0);
    counts[t] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_global_id(0); i < words; i += get_global_size(0)) {
        const unsigned word = in[i];
        atomic_inc(&counts[word & 255]);
        atomic_inc(&counts[word >> 8 & 255]);
        atomic_inc(&counts[word >> 16 & 255]);
        atomic_inc(&counts[word >> 24]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&bins[t], counts[t]);
}
