// SPDX-License-Identifier: Apache-2.0
// Products of a sparse matrix and a vector have the same loop.
#pragma once

#include "../benchmark.hpp"

#include <utility>

namespace warplight::bench {

inline void multiply(int rows, const int* __restrict offsets, const int* __restrict columns,
                     const float* __restrict values, const float* __restrict x, float* __restrict y) {
#pragma omp parallel for schedule(static)
    for (int row = 0; row < rows; ++row) {
        float sum = 0;
#pragma omp simd reduction(+ : sum)
        for (int i = offsets[row]; i < offsets[row + 1]; ++i)
            sum += values[i] * x[columns[i]];
        y[row] = sum;
    }
}

/// A square matrix whose rows have `fewest` to `most` values, in random columns. The kernels are missing.
inline Benchmark sparse_product(std::string name, std::string size, int rows, int fewest, int most) {
    Benchmark b{std::move(name), std::move(size), ""};
    const auto height = static_cast<std::size_t>(rows);
    std::vector<std::int32_t> offsets = {0};
    offsets.reserve(height + 1);
    for (const int more : random_integers(height, static_cast<std::uint32_t>(most - fewest + 1), 1))
        offsets.push_back(offsets.back() + fewest + more);
    const auto count = static_cast<std::size_t>(offsets.back());
    b.work = {.read = 8.0 * count + 8.0 * height, .written = 4.0 * height, .floats = double(count)};
    b.arrays = {Array::input(offsets), Array::input(random_integers(count, static_cast<std::uint32_t>(rows), 2)),
                Array::input(random_reals(count, -1, 1, 3)), Array::input(random_reals(height, -1, 1, 4)),
                Array::reals(height, 1e-5, 1e-5)};
    b.loop = [rows](const Host& host) {
        multiply(rows, host.get<int>(0), host.get<int>(1), host.get<float>(2), host.get<float>(3), host.get<float>(4));
    };
    return b;
}

} // namespace warplight::bench
