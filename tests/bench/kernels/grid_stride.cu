// SPDX-License-Identifier: Apache-2.0
// Element by element, by fewer threads than there are elements.
extern "C" __global__ void grid_stride(int n, const float* x, const float* y, float* z) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        z[i] = x[i] + y[i];
}
