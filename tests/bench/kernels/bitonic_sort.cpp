// SPDX-License-Identifier: Apache-2.0
#include "../benchmark.hpp"

#include <algorithm>

namespace warplight::bench {
namespace {

constexpr int n = 1 << 18, block = 1024;

/// One step for the elements from `first` to `end`; the direction is the same for a run of `distance` of them.
inline void step(int* keys, std::ptrdiff_t first, std::ptrdiff_t end, std::ptrdiff_t size, std::ptrdiff_t distance) {
    for (std::ptrdiff_t run = first; run < end; run += 2 * distance) {
        int* low = keys + run;
        int* high = low + distance;
        const bool ascending = (run & size) == 0;
#pragma omp simd
        for (std::ptrdiff_t i = 0; i < distance; ++i) {
            const int x = low[i], y = high[i];
            const int least = std::min(x, y), most = std::max(x, y);
            low[i] = ascending ? least : most;
            high[i] = ascending ? most : least;
        }
    }
}

/// The same network, not another sort: what is compared is how it runs. Distances within a block go through the cache.
void loop(int* keys) {
#pragma omp parallel for schedule(static)
    for (std::ptrdiff_t first = 0; first < n; first += block)
        for (std::ptrdiff_t size = 2; size <= block; size *= 2)
            for (std::ptrdiff_t distance = size / 2; distance > 0; distance /= 2)
                step(keys, first, first + block, size, distance);
    for (std::ptrdiff_t size = 2 * block; size <= n; size *= 2) {
        for (std::ptrdiff_t distance = size / 2; distance >= block; distance /= 2) {
            // Pieces of a block's size, so that there are enough for all threads.
#pragma omp parallel for schedule(static)
            for (std::ptrdiff_t piece = 0; piece < n / 2; piece += block / 2) {
                const std::ptrdiff_t first = 2 * piece - (piece & (distance - 1));
                int* low = keys + first;
                int* high = low + distance;
                const bool ascending = (first & size) == 0;
#pragma omp simd
                for (std::ptrdiff_t i = 0; i < block / 2; ++i) {
                    const int x = low[i], y = high[i];
                    const int least = std::min(x, y), most = std::max(x, y);
                    low[i] = ascending ? least : most;
                    high[i] = ascending ? most : least;
                }
            }
        }
#pragma omp parallel for schedule(static)
        for (std::ptrdiff_t first = 0; first < n; first += block)
            for (std::ptrdiff_t distance = block / 2; distance > 0; distance /= 2)
                step(keys, first, first + block, size, distance);
    }
}

} // namespace

Benchmark bitonic_sort() {
    Benchmark b{"bitonic_sort", "2^18 integers", "OpenMP: the same network"};
    // 171 steps, which find a minimum and a maximum of each two keys.
    b.work = {.read = 4.0 * n, .written = 4.0 * n, .in_place = true, .integers = 171.0 * n};
    Array keys = Array::input(random_integers(n, 1U << 31, 1));
    keys.written = true;
    keys.check = Array::Check::integers;
    b.arrays = {std::move(keys)};
    b.kernels = [](Queue& queue) {
        queue.launch("sort_blocks", {n / block}, {block / 2}, {Memory{0}});
        for (int size = 2 * block; size <= n; size *= 2) {
            for (int distance = size / 2; distance >= block; distance /= 2)
                queue.launch("merge_step", {n / block}, {block / 2}, {Memory{0}, size, distance});
            queue.launch("merge_blocks", {n / block}, {block / 2}, {Memory{0}, size});
        }
    };
    b.loop = [](const Host& host) { loop(host.get<int>(0)); };
    return b;
}

} // namespace warplight::bench
