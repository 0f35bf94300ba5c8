// SPDX-License-Identifier: Apache-2.0
// Sums along rows, then along columns, a thread each.
extern "C" __global__ void sum_rows(const float* in, float* out, int width, int height) {
    const int y = blockIdx.x * blockDim.x + threadIdx.x;
    if (y >= height) return;
    float sum = 0.0f;
    for (int x = 0; x < width; ++x) {
        sum += in[y * width + x];
        out[y * width + x] = sum;
    }
}

extern "C" __global__ void sum_columns(float* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= width) return;
    float sum = 0.0f;
    for (int y = 0; y < height; ++y) {
        sum += out[y * width + x];
        out[y * width + x] = sum;
    }
}
