// SPDX-License-Identifier: Apache-2.0
#include "../benchmark.hpp"

#include <omp.h>

#include <utility>

namespace warplight::bench {
namespace {

constexpr int n = 1 << 22, longest = 63;

/// Each thread adds up a part of the values. The first and the last segment of a part may have other parts too.
void loop(const int* __restrict segments, const int* __restrict values, int* __restrict sums) {
#pragma omp parallel
    {
        const std::ptrdiff_t threads = omp_get_num_threads(), thread = omp_get_thread_num();
        const std::ptrdiff_t first = n * thread / threads, end = n * (thread + 1) / threads;
        for (std::ptrdiff_t i = first; i < end;) {
            const int segment = segments[i];
            int sum = 0;
            for (; i < end && segments[i] == segment; ++i)
                sum += values[i];
#pragma omp atomic
            sums[segment] += sum;
        }
    }
}

} // namespace

Benchmark segmented_reduction() {
    Benchmark b{"segmented_reduction", "2^22 integers, segments to 63", "PoCL: local memory, as it has no shuffles"};
    const auto lengths = random_integers(n, longest, 1);
    std::vector<std::int32_t> segments(n);
    std::int32_t segment = 0;
    for (std::size_t i = 0; i < n; ++segment)
        for (int left = 1 + lengths[static_cast<std::size_t>(segment)]; left > 0 && i < n; --left)
            segments[i++] = segment;
    b.work = {.read = 8.0 * n, .written = 4.0 * segment, .integers = n};
    b.arrays = {Array::input(segments), Array::input(random_integers(n, 1000, 2)),
                Array::integers(static_cast<std::size_t>(segment))};
    b.kernels = [](Queue& queue) { queue.launch("add_segments", {n / 256}, {256}, {Memory{0}, Memory{1}, Memory{2}}); };
    b.loop = [](const Host& host) { loop(host.get<int>(0), host.get<int>(1), host.get<int>(2)); };
    return b;
}

} // namespace warplight::bench
