// SPDX-License-Identifier: Apache-2.0
#include "../benchmark.hpp"

#include <algorithm>
#include <utility>

namespace warplight::bench {
namespace {

constexpr int n = 512, tile = 32;

/// Without tiles: all of it fits into a core's cache. Row k does not change in round k, as a way from k to k is 0.
void loop(int* distances) {
#pragma omp parallel
    for (int k = 0; k < n; ++k) {
        const int* through = distances + k * n;
#pragma omp for schedule(static)
        for (int y = 0; y < n; ++y) {
            int* row = distances + y * n;
            const int first = row[k];
#pragma omp simd
            for (int x = 0; x < n; ++x) {
                const int old = row[x], way = first + through[x];
                row[x] = std::min(old, way);
            }
        }
    }
}

} // namespace

Benchmark floyd_warshall() {
    Benchmark b{"floyd_warshall", "512 vertices", "OpenMP: no tiles"};
    constexpr std::size_t size = std::size_t(n) * n;
    // A sum and a minimum for each way and vertex.
    b.work = {.read = 4.0 * size, .written = 4.0 * size, .in_place = true, .integers = 2.0 * size * n};
    // An eighth of all edges exist; no way is longer than the number for none.
    auto distances = random_integers(size, 8000, 1);
    for (std::size_t i = 0; i < size; ++i) {
        if (distances[i] >= 1000) distances[i] = 1 << 28;
        if (i % (n + 1) == 0) distances[i] = 0;
    }
    Array array = Array::input(distances);
    array.written = true;
    array.check = Array::Check::integers;
    b.arrays = {std::move(array)};
    b.kernels = [](Queue& queue) {
        constexpr unsigned tiles = n / tile;
        for (int round = 0; round < n / tile; ++round) {
            queue.launch("own_tile", {1}, {tile, tile}, {n, round, Memory{0}});
            queue.launch("row_and_column", {tiles, 2}, {tile, tile}, {n, round, Memory{0}});
            queue.launch("others", {tiles, tiles}, {tile, tile}, {n, round, Memory{0}});
        }
    };
    b.loop = [](const Host& host) { loop(host.get<int>(0)); };
    return b;
}

} // namespace warplight::bench
