// SPDX-License-Identifier: Apache-2.0
#include "../benchmark.hpp"

#include <algorithm>

namespace warplight::bench {
namespace {

constexpr int width = 512, height = 512, radius = 2, side = 2 * radius + 1;

/// The middle without looking at the edge; the edge clamps.
void loop(const float* __restrict image, const float* __restrict weights, float* __restrict out) {
    const auto clamped = [&](int x, int y) {
        float sum = 0;
        for (int dy = -radius; dy <= radius; ++dy)
            for (int dx = -radius; dx <= radius; ++dx)
                sum += weights[(dy + radius) * side + dx + radius] *
                       image[std::clamp(y + dy, 0, height - 1) * width + std::clamp(x + dx, 0, width - 1)];
        out[y * width + x] = sum;
    };
#pragma omp parallel for schedule(static)
    for (int y = 0; y < height; ++y) {
        if (y < radius || y >= height - radius) {
            for (int x = 0; x < width; ++x)
                clamped(x, y);
            continue;
        }
        for (int x = 0; x < radius; ++x) {
            clamped(x, y);
            clamped(width - 1 - x, y);
        }
#pragma omp simd
        for (int x = radius; x < width - radius; ++x) {
            float sum = 0;
            for (int dy = -radius; dy <= radius; ++dy)
                for (int dx = -radius; dx <= radius; ++dx)
                    sum += weights[(dy + radius) * side + dx + radius] * image[(y + dy) * width + x + dx];
            out[y * width + x] = sum;
        }
    }
}

} // namespace

Benchmark convolution() {
    Benchmark b{"convolution", "512 x 512 floats, 5 x 5 weights", "texture; OpenMP: plain memory"};
    const std::size_t size = std::size_t(width) * height;
    b.work = {.read = 4.0 * size, .written = 4.0 * size, .floats = double(size) * side * side};
    Array image = Array::input(random_reals(size, 0, 1, 1));
    image.width = width;
    image.height = height;
    b.arrays = {std::move(image), Array::input(random_reals(side * side, -1, 1, 2)), Array::reals(size, 1e-5, 1e-5)};
    b.kernels = [](Queue& queue) {
        queue.launch("convolve", {width / 32, height / 8}, {32, 8}, {width, height, Texture{0}, Memory{1}, Memory{2}});
    };
    b.loop = [](const Host& host) { loop(host.get<float>(0), host.get<float>(1), host.get<float>(2)); };
    return b;
}

} // namespace warplight::bench
