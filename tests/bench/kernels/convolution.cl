// SPDX-License-Identifier: Apache-2.0
#define RADIUS 2
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
kernel void convolve(int width, int height, read_only image2d_t image, constant float* weights, global float* out) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= width || y >= height) return;
    float sum = 0.0f;
    for (int dy = -RADIUS; dy <= RADIUS; ++dy)
        for (int dx = -RADIUS; dx <= RADIUS; ++dx)
            sum += weights[(dy + RADIUS) * (2 * RADIUS + 1) + dx + RADIUS] *
                   read_imagef(image, nearest, (float2)(x + dx + 0.5f, y + dy + 0.5f)).x;
    out[y * width + x] = sum;
}
