// SPDX-License-Identifier: Apache-2.0
// The loop of all scans, and the launches of those whose blocks scan 1024 numbers and leave their sum.
#pragma once

#include "../benchmark.hpp"

#include <omp.h>

#include <utility>

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

/// A thread has 1024 / `threads` numbers.
inline Benchmark scan_by_levels(std::string name, std::string note, unsigned threads) {
    constexpr int n = 1 << 22, items = 1024, blocks = n / items, groups = blocks / items;
    static_assert(groups >= 1 && groups <= items);
    Benchmark b{std::move(name), "2^22 integers", std::move(note)};
    b.work = {.read = 4.0 * n, .written = 4.0 * n, .integers = n};
    // Input and result; the blocks' sums, scanned; the sums of groups of 1024 blocks, scanned; their sum.
    b.arrays = {Array::input(random_integers(n, 100, 1)),
                Array::integers(n),
                Array::scratch(blocks * 4),
                Array::scratch(blocks * 4),
                Array::scratch(items * 4),
                Array::scratch(items * 4),
                Array::scratch(4)};
    b.kernels = [threads](Queue& queue) {
        queue.launch("scan_blocks", {blocks}, {threads}, {Memory{0}, Memory{1}, Memory{2}});
        queue.launch("scan_blocks", {groups}, {threads}, {Memory{2}, Memory{3}, Memory{4}});
        queue.launch("scan_blocks", {1}, {threads}, {Memory{4}, Memory{5}, Memory{6}});
        queue.launch("add_sums", {groups}, {threads}, {Memory{3}, Memory{5}});
        queue.launch("add_sums", {blocks}, {threads}, {Memory{1}, Memory{3}});
    };
    b.loop = [](const Host& host) { prefix_sums(n, host.get<int>(0), host.get<int>(1)); };
    return b;
}

} // namespace warplight::bench
