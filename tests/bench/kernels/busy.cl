// SPDX-License-Identifier: Apache-2.0
kernel void busy(int rounds, global uint* x) {
    const int i = get_global_id(0);
    uint value = x[i];
    for (int round = 0; round < rounds; ++round)
        value = value * 1664525U + 1013904223U;
    x[i] = value;
}
