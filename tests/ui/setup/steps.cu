// SPDX-License-Identifier: GPL-3.0-or-later
extern "C" __global__ void scale(float* x, float* error, int n, float factor) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= factor;
    if (i == 0) error[0] = x[0];
}
