// SPDX-License-Identifier: Apache-2.0
kernel void histogram(int n, global const int* in, volatile global int* bins) {
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        atomic_inc(&bins[in[i]]);
}
