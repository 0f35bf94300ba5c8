// SPDX-License-Identifier: Apache-2.0
#include "../benchmark.hpp"

namespace warplight::bench {
namespace {

constexpr int n = 512;

/// Dot products, as b is stored by columns; four columns at once, so that a row is read a quarter as often.
void loop(const std::int8_t* __restrict a, const std::int8_t* __restrict b, std::int32_t* __restrict c) {
#pragma omp parallel for schedule(static)
    for (std::ptrdiff_t row = 0; row < n; ++row) {
        for (std::ptrdiff_t column = 0; column < n; column += 4) {
            const std::int8_t *x = a + row * n, *y = b + column * n;
            std::int32_t s0 = 0, s1 = 0, s2 = 0, s3 = 0;
#pragma omp simd reduction(+ : s0, s1, s2, s3)
            for (int k = 0; k < n; ++k) {
                s0 += x[k] * y[k];
                s1 += x[k] * y[k + n];
                s2 += x[k] * y[k + 2 * n];
                s3 += x[k] * y[k + 3 * n];
            }
            c[row * n + column] = s0;
            c[row * n + column + 1] = s1;
            c[row * n + column + 2] = s2;
            c[row * n + column + 3] = s3;
        }
    }
}

} // namespace

Benchmark matmul_int8() {
    Benchmark b{"matmul_int8", "512 x 512 bytes to integers", "PoCL: no dp4a"};
    const std::size_t size = std::size_t(n) * n;
    // Four products with their sum are an instruction of most processors' vectors.
    b.work = {.read = 2.0 * size, .written = 4.0 * size, .integers = double(size) * n / 4};
    b.arrays = {Array::input(random_integers<std::int8_t>(size, 256, 1)),
                Array::input(random_integers<std::int8_t>(size, 256, 2)), Array::integers(size)};
    b.kernels = [](Queue& queue) {
        queue.launch("matmul", {n / 16, n / 16}, {16, 16}, {n, n / 4, Memory{0}, Memory{1}, Memory{2}});
    };
    b.loop = [](const Host& host) {
        loop(host.get<std::int8_t>(0), host.get<std::int8_t>(1), host.get<std::int32_t>(2));
    };
    return b;
}

} // namespace warplight::bench
