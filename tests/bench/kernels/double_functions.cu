// SPDX-License-Identifier: Apache-2.0
// Functions of doubles: parts of them CUDA's compilers leave as calls.
extern "C" __global__ void double_functions(int n, const float* x, const float* y, float* z) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const double base = x[i], exponent = y[i];
    z[i] = static_cast<float>(pow(base, exponent) + sin(exponent));
}
