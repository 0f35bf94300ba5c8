// SPDX-License-Identifier: Apache-2.0
// A larger picture, by two neighbours in each direction.
extern "C" __global__ void resize(const float* in, float* out, int width, int height, int to_width, int to_height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= to_width || y >= to_height) return;
    const float fx = (x + 0.5f) * width / to_width - 0.5f, fy = (y + 0.5f) * height / to_height - 0.5f;
    int x0 = (int)floorf(fx), y0 = (int)floorf(fy);
    const float ax = fx - x0, ay = fy - y0;
    const int x1 = min(x0 + 1, width - 1), y1 = min(y0 + 1, height - 1);
    x0 = max(x0, 0);
    y0 = max(y0, 0);
    const float a = in[y0 * width + x0], b = in[y0 * width + x1], c = in[y1 * width + x0], d = in[y1 * width + x1];
    out[y * to_width + x] = (a * (1 - ax) + b * ax) * (1 - ay) + (c * (1 - ax) + d * ax) * ay;
}
