// SPDX-License-Identifier: Apache-2.0
// A filter of 5 x 5; coordinates outside are those of the border.
extern "C" __global__ void gauss_5x5(const float* in, float* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const float weights[5] = {1, 4, 6, 4, 1};
    float sum = 0.0f;
    for (int dy = -2; dy <= 2; ++dy)
        for (int dx = -2; dx <= 2; ++dx) {
            const int cx = min(max(x + dx, 0), width - 1), cy = min(max(y + dy, 0), height - 1);
            sum += in[cy * width + cx] * weights[dx + 2] * weights[dy + 2];
        }
    out[y * width + x] = sum / 256;
}
