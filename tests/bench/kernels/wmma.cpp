// SPDX-License-Identifier: Apache-2.0
#include "../benchmark.hpp"

#include <bit>

namespace warplight::bench {
namespace {

constexpr int n = 256;

/// Of half floats that are 0 or normal numbers.
inline float to_float(std::uint16_t half) {
    if ((half & 0x7fff) == 0) return 0;
    const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000) << 16;
    return std::bit_cast<float>(sign | ((static_cast<std::uint32_t>(half & 0x7fff) << 13) + (112U << 23)));
}

/// As floats first; then dot products, as b is stored by columns.
void loop(const std::uint16_t* __restrict a, const std::uint16_t* __restrict b, float* __restrict c) {
    static float fa[n * n], fb[n * n];
#pragma omp parallel for simd schedule(static)
    for (int i = 0; i < n * n; ++i) {
        fa[i] = to_float(a[i]);
        fb[i] = to_float(b[i]);
    }
#pragma omp parallel for schedule(static)
    for (int row = 0; row < n; ++row) {
        for (int column = 0; column < n; ++column) {
            float sum = 0;
#pragma omp simd reduction(+ : sum)
            for (int k = 0; k < n; ++k)
                sum += fa[row * n + k] * fb[column * n + k];
            c[row * n + column] = sum;
        }
    }
}

} // namespace

Benchmark wmma() {
    Benchmark b{"wmma", "256 x 256 half to float", "PoCL: local memory; OpenMP: floats"};
    constexpr double size = double(n) * n;
    b.work = {.read = 4 * size, .written = 4 * size, .floats = size * n};
    const auto halves = [](unsigned seed) {
        // Multiples of 1/8 below 1, of either sign: exact, so that the order of sums does not matter.
        static constexpr std::uint16_t values[8] = {0x0000, 0x3000, 0x3400, 0x3600, 0x3800, 0x3900, 0x3a00, 0x3b00};
        std::vector<std::uint16_t> result;
        for (const int r : random_integers(std::size_t(n) * n, 16, seed))
            result.push_back(static_cast<std::uint16_t>(values[r & 7] | (r & 8 ? 0x8000 : 0)));
        return result;
    };
    b.arrays = {Array::input(halves(1)), Array::input(halves(2)), Array::reals(std::size_t(n) * n, 1e-6, 1e-6)};
    b.kernels = [](Queue& queue) {
        queue.launch("product", {n / 64, n / 16}, {32, 4}, {n, Memory{0}, Memory{1}, Memory{2}});
    };
    b.loop = [](const Host& host) { loop(host.get<std::uint16_t>(0), host.get<std::uint16_t>(1), host.get<float>(2)); };
    return b;
}

} // namespace warplight::bench
