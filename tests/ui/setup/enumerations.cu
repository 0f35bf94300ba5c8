// SPDX-License-Identifier: Apache-2.0
enum class Step { keep, twice = 2, thrice };
enum Sign : unsigned char { plus, minus = 9 };

__global__ void change(float* x, Step step, Sign sign, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = x[i] * float(int(step)) * (sign == minus ? -1.0f : 1.0f);
}
