// SPDX-License-Identifier: Apache-2.0
kernel void mandelbrot(int width, int most, float left, float top, float step, global int* out) {
    const int column = get_global_id(0);
    const int row = get_global_id(1);
    const float cx = fma((float)column, step, left), cy = fma((float)row, step, top);
    float x = 0.0f, y = 0.0f;
    int i = 0;
    while (i < most && fma(x, x, y * y) <= 4.0f) {
        const float next = fma(x, x, fma(-y, y, cx));
        y = fma(2.0f * x, y, cy);
        x = next;
        ++i;
    }
    out[row * width + column] = i;
}
