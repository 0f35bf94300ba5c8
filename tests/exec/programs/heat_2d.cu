// SPDX-License-Identifier: Apache-2.0
// Jacobi iterations between two fields, until they change little; the largest change by atomicMax of bits.
#include "program.hpp"

#include <cstring>
#include <utility>

__global__ void step(const float* from, float* to, int width, int height, int* change) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const int i = y * width + x;
    if (x == 0 || y == 0 || x == width - 1 || y == height - 1) {
        to[i] = from[i];
        return;
    }
    const float mean = 0.25f * (from[i - 1] + from[i + 1] + from[i - width] + from[i + width]);
    to[i] = mean;
    atomicMax(change, __float_as_int(fabsf(mean - from[i])));
}

int main() {
    const int width = 66, height = 50, most = 400;
    std::vector<float> field(width * height, 0.0f);
    for (int x = 0; x < width; ++x)
        field[x] = 100.0f;
    float *a = to_device(field), *b = to_device(field);
    int* change = nullptr;
    CHECK(cudaMalloc(&change, sizeof(int)));
    const dim3 threads(16, 16), blocks((width + 15) / 16, (height + 15) / 16);
    float largest = 1e9f;
    int steps = 0;
    while (steps < most && largest > 0.01f) {
        CHECK(cudaMemset(change, 0, sizeof(int)));
        step<<<blocks, threads>>>(a, b, width, height, change);
        int bits = 0;
        CHECK(cudaMemcpy(&bits, change, sizeof bits, cudaMemcpyDeviceToHost));
        std::memcpy(&largest, &bits, sizeof bits);
        std::swap(a, b);
        ++steps;
    }
    auto expected = field, next = field;
    for (int s = 0; s < steps; ++s) {
        for (int y = 1; y < height - 1; ++y)
            for (int x = 1; x < width - 1; ++x) {
                const int i = y * width + x;
                next[i] = 0.25f * (expected[i - 1] + expected[i + 1] + expected[i - width] + expected[i + width]);
            }
        std::swap(expected, next);
    }
    std::printf("%d steps, last change %g\n", steps, largest);
    const bool good = near(to_host(a, width * height), expected, 1e-4) && steps > 10;
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaFree(change));
    return verdict(good);
}
