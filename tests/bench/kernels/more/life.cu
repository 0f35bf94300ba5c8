// SPDX-License-Identifier: Apache-2.0
// A step of the game of life on a torus.
extern "C" __global__ void life(const int* in, int* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const int l = (x + width - 1) % width, r = (x + 1) % width;
    const int u = (y + height - 1) % height * width, d = (y + 1) % height * width, c = y * width;
    const int n = in[u + l] + in[u + x] + in[u + r] + in[c + l] + in[c + r] + in[d + l] + in[d + x] + in[d + r];
    out[c + x] = n == 3 || (n == 2 && in[c + x]);
}
