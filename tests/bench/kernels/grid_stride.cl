// SPDX-License-Identifier: Apache-2.0
kernel void grid_stride(int n, global const float* x, global const float* y, global float* z) {
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        z[i] = x[i] + y[i];
}
