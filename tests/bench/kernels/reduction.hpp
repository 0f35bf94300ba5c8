// SPDX-License-Identifier: Apache-2.0
// Both ways to add the floats of an array have the same loop and the same launches.
#pragma once

#include "../benchmark.hpp"

namespace warplight::bench {

inline constexpr int reduction_size = 1 << 24, reduction_blocks = 256;

inline void add_all(const float* x, float* result) {
    float sum = 0;
#pragma omp parallel for simd schedule(static) reduction(+ : sum)
    for (int i = 0; i < reduction_size; ++i)
        sum += x[i];
    *result = sum;
}

inline Benchmark reduction(const char* name, const char* note) {
    Benchmark b{name, "2^24 floats", note};
    b.work = {.read = 4.0 * reduction_size, .floats = reduction_size};
    // The sums of the blocks, then that of all.
    b.arrays = {Array::input(random_reals(reduction_size, 0, 1, 1)), Array::scratch(reduction_blocks * sizeof(float)),
                Array::reals(1, 1e-5, 0)};
    b.kernels = [](Queue& queue) {
        queue.launch("reduce", {reduction_blocks}, {256}, {reduction_size, Memory{0}, Memory{1}});
        queue.launch("reduce", {1}, {256}, {reduction_blocks, Memory{1}, Memory{2}});
    };
    b.loop = [](const Host& host) { add_all(host.get<float>(0), host.get<float>(2)); };
    return b;
}

} // namespace warplight::bench
