// SPDX-License-Identifier: Apache-2.0
// Products of many 4 x 4 matrices, a thread an element.
extern "C" __global__ void products_4x4(const float* a, const float* b, float* c, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count * 16) return;
    const int matrix = i / 16, row = i / 4 % 4, column = i % 4;
    const float* x = a + matrix * 16 + row * 4;
    const float* y = b + matrix * 16 + column;
    float sum = 0.0f;
    for (int k = 0; k < 4; ++k)
        sum += x[k] * y[4 * k];
    c[i] = sum;
}
