// SPDX-License-Identifier: Apache-2.0
kernel void double_functions(int n, global const float* x, global const float* y, global float* z) {
    const int i = get_global_id(0);
    if (i < n) z[i] = (float)(pow((double)x[i], (double)y[i]) + sin((double)y[i]));
}
