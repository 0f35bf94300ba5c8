// SPDX-License-Identifier: Apache-2.0
// 5 x 5 weights over an image that is read through a texture, whose edge goes on outside.
#define RADIUS 2
extern "C" __global__ void convolve(int width, int height, cudaTextureObject_t image, const float* weights,
                                    float* out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float sum = 0.0f;
    for (int dy = -RADIUS; dy <= RADIUS; ++dy)
        for (int dx = -RADIUS; dx <= RADIUS; ++dx)
            sum += weights[(dy + RADIUS) * (2 * RADIUS + 1) + dx + RADIUS] *
                   tex2D<float>(image, x + dx + 0.5f, y + dy + 0.5f);
    out[y * width + x] = sum;
}
