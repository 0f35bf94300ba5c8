// SPDX-License-Identifier: Apache-2.0
extern "C" __global__ void vector_add(int n, const float* x, const float* y, float* z) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = x[i] + y[i];
}
