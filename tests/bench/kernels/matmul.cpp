// SPDX-License-Identifier: Apache-2.0
#include "../benchmark.hpp"

#include <algorithm>

namespace warplight::bench {
namespace {

constexpr int n = 512;

/// Row times matrix, so that the inner loop goes along rows; a panel of b stays in the cache.
void loop(const float* __restrict a, const float* __restrict b, float* __restrict c) {
    constexpr std::ptrdiff_t panel = 128;
#pragma omp parallel for schedule(static)
    for (std::ptrdiff_t row = 0; row < n; ++row)
        std::fill(c + row * n, c + (row + 1) * n, 0.0F);
    for (std::ptrdiff_t first = 0; first < n; first += panel) {
#pragma omp parallel for schedule(static)
        for (std::ptrdiff_t row = 0; row < n; ++row) {
            for (std::ptrdiff_t k = first; k < first + panel; ++k) {
                const float factor = a[row * n + k];
#pragma omp simd
                for (std::ptrdiff_t column = 0; column < n; ++column)
                    c[row * n + column] += factor * b[k * n + column];
            }
        }
    }
}

} // namespace

Benchmark matmul() {
    Benchmark b{"matmul", "512 x 512 floats", ""};
    const std::size_t size = std::size_t(n) * n;
    b.work = {.read = 8.0 * size, .written = 4.0 * size, .floats = double(size) * n};
    b.arrays = {Array::input(random_reals(size, -1, 1, 1)), Array::input(random_reals(size, -1, 1, 2)),
                Array::reals(size, 1e-5, 1e-4)};
    b.kernels = [](Queue& queue) {
        queue.launch("matmul", {n / 16, n / 16}, {16, 16}, {n, Memory{0}, Memory{1}, Memory{2}});
    };
    b.loop = [](const Host& host) { loop(host.get<float>(0), host.get<float>(1), host.get<float>(2)); };
    return b;
}

} // namespace warplight::bench
