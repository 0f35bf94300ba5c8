// SPDX-License-Identifier: Apache-2.0
// Sums of two vectors, element by element.
#pragma once

#include "../benchmark.hpp"

#include <string>
#include <utility>

namespace warplight::bench {

inline constexpr int kSummands = 1 << 24;

inline void vector_sum_loop(const float* __restrict x, const float* __restrict y, float* __restrict z) {
#pragma omp parallel for simd schedule(static)
    for (int i = 0; i < kSummands; ++i)
        z[i] = x[i] + y[i];
}

/// By a kernel of that name, in blocks of 256.
inline Benchmark vector_sum(std::string kernel, std::string work, unsigned blocks) {
    Benchmark b{kernel, std::move(work), ""};
    b.work = {.read = 8.0 * kSummands, .written = 4.0 * kSummands, .floats = kSummands};
    b.arrays = {Array::input(random_reals(kSummands, -1, 1, 1)), Array::input(random_reals(kSummands, -1, 1, 2)),
                Array::reals(kSummands, 0, 0)};
    b.kernels = [kernel = std::move(kernel), blocks](Queue& queue) {
        queue.launch(kernel.c_str(), {blocks}, {256}, {kSummands, Memory{0}, Memory{1}, Memory{2}});
    };
    b.loop = [](const Host& host) { vector_sum_loop(host.get<float>(0), host.get<float>(1), host.get<float>(2)); };
    return b;
}

} // namespace warplight::bench
