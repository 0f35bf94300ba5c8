// SPDX-License-Identifier: Apache-2.0
// A 5 x 5 binomial blur of an RGB image, one thread a pixel. Beyond the edge the edge's own pixels count.
__constant__ int weight[5] = {1, 4, 6, 4, 1};

extern "C" __global__ void blur(const unsigned char* in, unsigned char* out, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;

    for (int channel = 0; channel < 3; ++channel) {
        int sum = 0;
        for (int dy = -2; dy <= 2; ++dy) {
            for (int dx = -2; dx <= 2; ++dx) {
                int u = min(max(x + dx, 0), width - 1);
                int v = min(max(y + dy, 0), height - 1);
                sum += weight[dx + 2] * weight[dy + 2] * in[(v * width + u) * 3 + channel];
            }
        }
        out[(y * width + x) * 3 + channel] = (sum + 128) / 256;
    }
}
