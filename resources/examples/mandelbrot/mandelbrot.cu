// SPDX-License-Identifier: Apache-2.0
// How many steps z = z * z + c takes to leave the circle of radius 2, for each point c of a rectangle.
// The _rn functions keep the compiler from fusing multiplication and addition, so that every machine
// rounds alike and the result can be compared exactly.
extern "C" __global__ void mandelbrot(unsigned char* steps, int width, int height, double left, double top,
                                      double pixel) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;

    double cr = __dadd_rn(left, __dmul_rn(x, pixel));
    double ci = __dsub_rn(top, __dmul_rn(y, pixel));
    double zr = 0.0, zi = 0.0;
    int count = 0;
    while (count < 255) {
        double rr = __dmul_rn(zr, zr), ii = __dmul_rn(zi, zi);
        if (__dadd_rn(rr, ii) > 4.0) break;
        zi = __dadd_rn(__dmul_rn(__dadd_rn(zr, zr), zi), ci);
        zr = __dadd_rn(__dsub_rn(rr, ii), cr);
        ++count;
    }
    steps[y * width + x] = count;
}
