// SPDX-License-Identifier: Apache-2.0
#include "../benchmark.hpp"

namespace warplight::bench {
namespace {

constexpr int n = 256;

void loop(float centre, float side, const float* __restrict in, float* __restrict out) {
    constexpr std::ptrdiff_t row = n, plane = row * n;
#pragma omp parallel for schedule(static)
    for (std::ptrdiff_t z = 1; z < n - 1; ++z) {
        for (std::ptrdiff_t y = 1; y < n - 1; ++y) {
#pragma omp simd
            for (std::ptrdiff_t x = 1; x < n - 1; ++x) {
                const std::ptrdiff_t i = z * plane + y * row + x;
                out[i] = centre * in[i] +
                         side * (in[i - 1] + in[i + 1] + in[i - row] + in[i + row] + in[i - plane] + in[i + plane]);
            }
        }
    }
}

} // namespace

Benchmark stencil() {
    Benchmark b{"stencil", "256 x 256 x 256 floats", ""};
    const std::size_t size = std::size_t(n) * n * n;
    b.work = {.read = 4.0 * size, .written = 4.0 * size, .floats = 7.0 * size};
    b.arrays = {Array::input(random_reals(size, 0, 1, 1)), Array::reals(size, 1e-5, 1e-6)};
    b.kernels = [](Queue& queue) {
        queue.launch("stencil", {n / 32, n / 8}, {32, 8}, {n, n, n, 0.4F, 0.1F, Memory{0}, Memory{1}});
    };
    b.loop = [](const Host& host) { loop(0.4F, 0.1F, host.get<float>(0), host.get<float>(1)); };
    return b;
}

} // namespace warplight::bench
