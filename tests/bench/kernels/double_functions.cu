// SPDX-License-Identifier: Apache-2.0
// Functions of doubles: parts of them CUDA's compilers leave as calls.
extern "C" __global__ void double_functions(int n, const float* x, const float* y, float* z) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = static_cast<float>(pow(static_cast<double>(x[i]), static_cast<double>(y[i])) + sin(static_cast<double>(y[i])));
}
