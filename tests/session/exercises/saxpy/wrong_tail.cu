// SPDX-License-Identifier: Apache-2.0
// Fails: a tail, one element, few threads. Nothing keeps the threads behind the end away.
extern "C" __global__ void saxpy(int n, float a, const float* x, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = a * x[i] + y[i];
}
