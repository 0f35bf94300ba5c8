// SPDX-License-Identifier: Apache-2.0
#define KEYS 1024
// A macro, as the pointers' address spaces differ.
#define EXCHANGE(a, b, ascending)                                                                                      \
    {                                                                                                                  \
        const int x = a, y = b;                                                                                        \
        if ((x > y) == (ascending)) {                                                                                  \
            a = y;                                                                                                     \
            b = x;                                                                                                     \
        }                                                                                                              \
    }
void steps(local int* s, int base, int size, int distance) {
    for (; distance > 0; distance /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        const int t = get_local_id(0), low = 2 * t - (t & (distance - 1));
        EXCHANGE(s[low], s[low + distance], ((base + low) & size) == 0)
    }
}
kernel void sort_blocks(global int* keys) {
    local int s[KEYS];
    const int base = get_group_id(0) * KEYS, t = get_local_id(0);
    s[t] = keys[base + t];
    s[t + KEYS / 2] = keys[base + t + KEYS / 2];
    for (int size = 2; size <= KEYS; size *= 2)
        steps(s, base, size, size / 2);
    barrier(CLK_LOCAL_MEM_FENCE);
    keys[base + t] = s[t];
    keys[base + t + KEYS / 2] = s[t + KEYS / 2];
}
kernel void merge_blocks(global int* keys, int size) {
    local int s[KEYS];
    const int base = get_group_id(0) * KEYS, t = get_local_id(0);
    s[t] = keys[base + t];
    s[t + KEYS / 2] = keys[base + t + KEYS / 2];
    steps(s, base, size, KEYS / 2);
    barrier(CLK_LOCAL_MEM_FENCE);
    keys[base + t] = s[t];
    keys[base + t + KEYS / 2] = s[t + KEYS / 2];
}
kernel void merge_step(global int* keys, int size, int distance) {
    const int i = get_global_id(0);
    const int low = 2 * i - (i & (distance - 1));
    EXCHANGE(keys[low], keys[low + distance], (low & size) == 0)
}
