// SPDX-License-Identifier: Apache-2.0
#define ITEMS 1024
kernel void scan_blocks(global const int* in, global int* out, global int* sums) {
    local int s[ITEMS];
    const int t = get_local_id(0), base = get_group_id(0) * ITEMS;
    s[t] = in[base + t];
    s[t + ITEMS / 2] = in[base + t + ITEMS / 2];
    int offset = 1;
    for (int d = ITEMS / 2; d > 0; d /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t < d) s[offset * (2 * t + 2) - 1] += s[offset * (2 * t + 1) - 1];
        offset *= 2;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t == 0) {
        sums[get_group_id(0)] = s[ITEMS - 1];
        s[ITEMS - 1] = 0;
    }
    for (int d = 1; d < ITEMS; d *= 2) {
        offset /= 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t < d) {
            const int left = offset * (2 * t + 1) - 1, right = offset * (2 * t + 2) - 1;
            const int value = s[left];
            s[left] = s[right];
            s[right] += value;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[base + t] = s[t];
    out[base + t + ITEMS / 2] = s[t + ITEMS / 2];
}
kernel void add_sums(global int* out, global const int* sums) {
    const int i = get_group_id(0) * ITEMS + get_local_id(0), sum = sums[get_group_id(0)];
    out[i] += sum;
    out[i + ITEMS / 2] += sum;
}
