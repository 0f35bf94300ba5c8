// SPDX-License-Identifier: Apache-2.0
// A step of a fluid by nine directions, on a torus.
extern "C" __global__ void lattice_boltzmann(const float* in, float* out, int width, int height, float omega) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const int dx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, dy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
    const float weights[9] = {4 / 9.f, 1 / 9.f, 1 / 9.f, 1 / 9.f, 1 / 9.f, 1 / 36.f, 1 / 36.f, 1 / 36.f, 1 / 36.f};
    const int n = width * height;
    float f[9], density = 0.0f, ux = 0.0f, uy = 0.0f;
    for (int i = 0; i < 9; ++i) {
        f[i] = in[i * n + (y - dy[i] + height) % height * width + (x - dx[i] + width) % width];
        density += f[i];
        ux += dx[i] * f[i];
        uy += dy[i] * f[i];
    }
    ux /= density;
    uy /= density;
    const float squares = 1.5f * (ux * ux + uy * uy);
    for (int i = 0; i < 9; ++i) {
        const float along = 3 * (dx[i] * ux + dy[i] * uy);
        out[i * n + y * width + x] =
            f[i] + omega * (weights[i] * density * (1 + along + 0.5f * along * along - squares) - f[i]);
    }
}
