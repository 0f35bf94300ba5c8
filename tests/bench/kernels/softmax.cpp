// SPDX-License-Identifier: Apache-2.0
#include "../benchmark.hpp"

#include <cmath>

namespace warplight::bench {
namespace {

constexpr int rows = 4096, columns = 1000;

void loop(const float* __restrict in, float* __restrict out) {
#pragma omp parallel for schedule(static)
    for (std::ptrdiff_t row = 0; row < rows; ++row) {
        const float* x = in + row * columns;
        float* y = out + row * columns;
        float most = x[0];
#pragma omp simd reduction(max : most)
        for (int i = 0; i < columns; ++i)
            most = most > x[i] ? most : x[i]; // GCC makes no vectors of std::max here
        float sum = 0;
#pragma omp simd reduction(+ : sum)
        for (int i = 0; i < columns; ++i) {
            y[i] = std::exp(x[i] - most);
            sum += y[i];
        }
        const float factor = 1 / sum;
#pragma omp simd
        for (int i = 0; i < columns; ++i)
            y[i] *= factor;
    }
}

} // namespace

Benchmark softmax() {
    Benchmark b{"softmax", "4096 rows of 1000 floats", "PoCL: local memory, as it has no shuffles"};
    const std::size_t size = std::size_t(rows) * columns;
    // A maximum, a difference, a sum, a product, and about ten for a power.
    b.work = {.read = 4.0 * size, .written = 4.0 * size, .floats = 14.0 * size};
    // Powers are 4 ulp wrong at most; each of two sums goes through at most 250 additions of 2^-24.
    b.arrays = {Array::input(random_reals(size, -8, 8, 1)), Array::reals(size, 3.1e-5, 0)};
    b.kernels = [](Queue& queue) { queue.launch("softmax", {rows}, {128}, {columns, Memory{0}, Memory{1}}); };
    b.loop = [](const Host& host) { loop(host.get<float>(0), host.get<float>(1)); };
    return b;
}

} // namespace warplight::bench
