// SPDX-License-Identifier: Apache-2.0
// A separable filter, whose weights are constants: rows, then columns.
#include "program.hpp"

#include <algorithm>

constexpr int kRadius = 4;
__constant__ float weights[2 * kRadius + 1];

template <bool along_rows>
__global__ void filter(const float* in, float* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float sum = 0;
    for (int k = -kRadius; k <= kRadius; ++k) {
        const int i = along_rows ? min(max(x + k, 0), width - 1) : x;
        const int j = along_rows ? y : min(max(y + k, 0), height - 1);
        sum += weights[k + kRadius] * in[j * width + i];
    }
    out[y * width + x] = sum;
}

int main() {
    const int width = 90, height = 70;
    const auto image = random_floats(width * height);
    std::vector<float> gauss(2 * kRadius + 1);
    for (int k = -kRadius; k <= kRadius; ++k)
        gauss[k + kRadius] = std::exp(-0.1f * k * k);
    CHECK(cudaMemcpyToSymbol(weights, gauss.data(), gauss.size() * sizeof(float)));
    float *in = to_device(image), *middle = to_device(image), *out = to_device(image);
    const dim3 threads(32, 4), blocks((width + 31) / 32, (height + 3) / 4);
    filter<true><<<blocks, threads>>>(in, middle, width, height);
    filter<false><<<blocks, threads>>>(middle, out, width, height);
    std::vector<float> rows(image.size()), expected(image.size());
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            for (int k = -kRadius; k <= kRadius; ++k)
                rows[y * width + x] += gauss[k + kRadius] * image[y * width + std::clamp(x + k, 0, width - 1)];
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            for (int k = -kRadius; k <= kRadius; ++k)
                expected[y * width + x] += gauss[k + kRadius] * rows[std::clamp(y + k, 0, height - 1) * width + x];
    const bool good = near(to_host(out, image.size()), expected, 1e-5);
    CHECK(cudaFree(in));
    CHECK(cudaFree(middle));
    CHECK(cudaFree(out));
    return verdict(good);
}
