// SPDX-License-Identifier: Apache-2.0
// Iterations until a point leaves the circle. The fused operations are named, so that all peers round alike.
extern "C" __global__ void mandelbrot(int width, int most, float left, float top, float step, int* out) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const float cx = fmaf((float)column, step, left), cy = fmaf((float)row, step, top);
    float x = 0.0f, y = 0.0f;
    int i = 0;
    while (i < most && fmaf(x, x, y * y) <= 4.0f) {
        const float next = fmaf(x, x, fmaf(-y, y, cx));
        y = fmaf(2.0f * x, y, cy);
        x = next;
        ++i;
    }
    out[row * width + column] = i;
}
