// SPDX-License-Identifier: Apache-2.0
// Histograms that kernels count in global memory: few bins are in everybody's way, many are not.
#pragma once

#include "../benchmark.hpp"

#include <utility>

namespace warplight::bench {

inline constexpr int histogram_size = 1 << 20;

/// Each thread counts for itself.
inline void count_numbers(int bins, const int* __restrict in, int* __restrict counts) {
#pragma omp parallel
    {
        std::vector<int> mine(static_cast<std::size_t>(bins));
        int* own = mine.data();
#pragma omp for schedule(static) nowait
        for (int i = 0; i < histogram_size; ++i)
            ++own[in[i]];
#pragma omp critical
#pragma omp simd
        for (int bin = 0; bin < bins; ++bin)
            counts[bin] += own[bin];
    }
}

inline Benchmark histogram_global(std::string name, std::string size, int bins) {
    Benchmark b{std::move(name), std::move(size), "OpenMP: a table a thread, no atomics"};
    b.work = {.read = 4.0 * histogram_size, .written = 4.0 * bins, .integers = histogram_size};
    b.arrays = {Array::input(random_integers(histogram_size, static_cast<std::uint32_t>(bins), 1)),
                Array::integers(static_cast<std::size_t>(bins))};
    b.kernels = [](Queue& queue) { queue.launch("histogram", {256}, {256}, {histogram_size, Memory{0}, Memory{1}}); };
    b.loop = [bins](const Host& host) { count_numbers(bins, host.get<int>(0), host.get<int>(1)); };
    return b;
}

} // namespace warplight::bench
