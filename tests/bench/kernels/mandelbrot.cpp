// SPDX-License-Identifier: Apache-2.0
#include "../../fused_reference.hpp"
#include "../benchmark.hpp"

#include <cmath>

namespace warplight::bench {
namespace {

constexpr int width = 1024, height = 768, most = 256;
constexpr float left = -2.0F, top = -0.9375F, step = 2.5F / 1024;

void loop(int* out) {
#pragma omp parallel for schedule(dynamic, 4)
    for (int row = 0; row < height; ++row) {
        for (int column = 0; column < width; ++column) {
            const float cx = fused_reference(static_cast<float>(column), step, left);
            const float cy = fused_reference(static_cast<float>(row), step, top);
            float x = 0, y = 0;
            int i = 0;
            while (i < most && fused_reference(x, x, y * y) <= 4.0F) {
                const float next = fused_reference(x, x, fused_reference(-y, y, cx));
                y = fused_reference(2.0F * x, y, cy);
                x = next;
                ++i;
            }
            out[row * width + column] = i;
        }
    }
}

} // namespace

Benchmark mandelbrot() {
    Benchmark b{"mandelbrot", "1024 x 768, 256 iterations", ""};
    // All points together. Each iteration is six products and a comparison, and counts to a limit.
    constexpr double iterations = 69914005;
    b.work = {.written = 4.0 * width * height, .floats = 7 * iterations, .integers = 2 * iterations};
    b.arrays = {Array::integers(std::size_t(width) * height)};
    b.kernels = [](Queue& queue) {
        queue.launch("mandelbrot", {width / 32, height / 8}, {32, 8}, {width, most, left, top, step, Memory{0}});
    };
    b.loop = [](const Host& host) { loop(host.get<int>(0)); };
    return b;
}

} // namespace warplight::bench
