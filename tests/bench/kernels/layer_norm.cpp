// SPDX-License-Identifier: Apache-2.0
#include "../benchmark.hpp"

#include <cmath>

namespace warplight::bench {
namespace {

constexpr int rows = 4096, columns = 768;

void loop(const float* __restrict in, const float* __restrict scale, const float* __restrict shift,
          float* __restrict out) {
#pragma omp parallel for schedule(static)
    for (std::ptrdiff_t row = 0; row < rows; ++row) {
        const float* x = in + row * columns;
        float* y = out + row * columns;
        float sum = 0;
#pragma omp simd reduction(+ : sum)
        for (int i = 0; i < columns; ++i)
            sum += x[i];
        const float mean = sum / columns;
        float squares = 0;
#pragma omp simd reduction(+ : squares)
        for (int i = 0; i < columns; ++i)
            squares += (x[i] - mean) * (x[i] - mean);
        const float inverse = 1 / std::sqrt(squares / columns + 1e-5F);
#pragma omp simd
        for (int i = 0; i < columns; ++i)
            y[i] = (x[i] - mean) * inverse * scale[i] + shift[i];
    }
}

} // namespace

Benchmark layer_norm() {
    Benchmark b{"layer_norm", "4096 rows of 768 floats", "PoCL: local memory, as it has no shuffles"};
    const std::size_t size = std::size_t(rows) * columns;
    b.work = {.read = 4.0 * size, .written = 4.0 * size, .floats = 6.0 * size};
    // Sums go through at most 192 additions, of 2^-24 of numbers below 1 each: 1.2e-5 of a mean and of a deviation, in
    // each of two results, which are at most 1.5 · 1.8 each.
    b.arrays = {Array::input(random_reals(size, -1, 1, 1)), Array::input(random_reals(columns, 0.5F, 1.5F, 2)),
                Array::input(random_reals(columns, -1, 1, 3)), Array::reals(size, 0, 1e-4)};
    b.kernels = [](Queue& queue) {
        queue.launch("layer_norm", {rows}, {256}, {columns, Memory{0}, Memory{1}, Memory{2}, Memory{3}});
    };
    b.loop = [](const Host& host) {
        loop(host.get<float>(0), host.get<float>(1), host.get<float>(2), host.get<float>(3));
    };
    return b;
}

} // namespace warplight::bench
