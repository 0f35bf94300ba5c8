// SPDX-License-Identifier: Apache-2.0
// The loop of both scans.
#pragma once

#include <omp.h>

#include <cstddef>
#include <vector>

namespace warplight::bench {

/// Exclusive prefix sums: each thread adds its part, then writes it from where the parts before it end.
inline void prefix_sums(std::ptrdiff_t n, const int* __restrict in, int* __restrict out) {
    std::vector<int> sums(static_cast<std::size_t>(omp_get_max_threads()) + 1);
#pragma omp parallel
    {
        const std::ptrdiff_t threads = omp_get_num_threads(), thread = omp_get_thread_num();
        const std::ptrdiff_t first = n * thread / threads, end = n * (thread + 1) / threads;
        int sum = 0;
#pragma omp simd reduction(+ : sum)
        for (std::ptrdiff_t i = first; i < end; ++i)
            sum += in[i];
        sums[static_cast<std::size_t>(thread) + 1] = sum;
#pragma omp barrier
        sum = 0;
        for (std::ptrdiff_t t = 0; t <= thread; ++t)
            sum += sums[static_cast<std::size_t>(t)];
        for (std::ptrdiff_t i = first; i < end; ++i) {
            out[i] = sum;
            sum += in[i];
        }
    }
}

} // namespace warplight::bench
