// SPDX-License-Identifier: Apache-2.0
kernel void saxpy(int n, float a, global const float* x, global float* y) {
    const int i = get_global_id(0);
    if (i < n) y[i] = a * x[i] + y[i];
}
