// SPDX-License-Identifier: Apache-2.0
#include "../benchmark.hpp"

namespace warplight::bench {
namespace {

constexpr int width = 1024, height = 1024, radius = 3, side = 2 * radius + 1;

/// The middle without looking at the edge.
void loop(const float* __restrict image, const float* __restrict weights, float* __restrict out) {
    const auto at_edge = [&](int x, int y) {
        float sum = 0;
        for (int dy = -radius; dy <= radius; ++dy) {
            if (y + dy < 0 || y + dy >= height) continue;
            for (int dx = -radius; dx <= radius; ++dx)
                if (x + dx >= 0 && x + dx < width)
                    sum += weights[(dy + radius) * side + dx + radius] * image[(y + dy) * width + x + dx];
        }
        out[y * width + x] = sum;
    };
#pragma omp parallel for schedule(static)
    for (int y = 0; y < height; ++y) {
        if (y < radius || y >= height - radius) {
            for (int x = 0; x < width; ++x)
                at_edge(x, y);
            continue;
        }
        for (int x = 0; x < radius; ++x) {
            at_edge(x, y);
            at_edge(width - 1 - x, y);
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

Benchmark convolution_shared() {
    Benchmark b{"convolution_shared", "1024 x 1024 floats, 7 x 7 weights", ""};
    const std::size_t size = std::size_t(width) * height;
    b.work = {.read = 4.0 * size, .written = 4.0 * size, .floats = double(size) * side * side};
    // Each of two sums of 49 products, all below 1, is at most 49 · 49 · 2^-24 wrong.
    b.arrays = {Array::input(random_reals(size, 0, 1, 1)), Array::input(random_reals(side * side, -1, 1, 2)),
                Array::reals(size, 0, 3e-4)};
    b.kernels = [](Queue& queue) {
        queue.launch("convolve", {width / 32, height / 8}, {32, 8}, {width, height, Memory{0}, Memory{1}, Memory{2}});
    };
    b.loop = [](const Host& host) { loop(host.get<float>(0), host.get<float>(1), host.get<float>(2)); };
    return b;
}

} // namespace warplight::bench
