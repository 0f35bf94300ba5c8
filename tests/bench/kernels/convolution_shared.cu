// SPDX-License-Identifier: Apache-2.0
// 7 x 7 weights over an image, with zeros beyond its edge. A block of 32 x 8 threads copies its part of the image and
// what lies around it to shared memory.
#define RADIUS 3
#define SIDE (2 * RADIUS + 1)
#define TILE_X 32
#define TILE_Y 8
extern "C" __global__ void convolve(int width, int height, const float* __restrict__ image,
                                    const float* __restrict__ weights, float* __restrict__ out) {
    __shared__ float tile[TILE_Y + 2 * RADIUS][TILE_X + 2 * RADIUS];
    const int left = blockIdx.x * TILE_X - RADIUS, top = blockIdx.y * TILE_Y - RADIUS;
    for (int y = threadIdx.y; y < TILE_Y + 2 * RADIUS; y += TILE_Y) {
        for (int x = threadIdx.x; x < TILE_X + 2 * RADIUS; x += TILE_X) {
            const int ix = left + x, iy = top + y;
            const bool inside = ix >= 0 && ix < width && iy >= 0 && iy < height;
            tile[y][x] = inside ? image[iy * width + ix] : 0.0f;
        }
    }
    __syncthreads();
    const int x = blockIdx.x * TILE_X + threadIdx.x, y = blockIdx.y * TILE_Y + threadIdx.y;
    if (x >= width || y >= height) return;
    float sum = 0.0f;
    for (int dy = 0; dy < SIDE; ++dy)
        for (int dx = 0; dx < SIDE; ++dx)
            sum += weights[dy * SIDE + dx] * tile[threadIdx.y + dy][threadIdx.x + dx];
    out[y * width + x] = sum;
}
