// SPDX-License-Identifier: Apache-2.0
#include "../benchmark.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

namespace warplight::bench {
namespace {

constexpr int vertices = 1 << 18, degree = 8, most_levels = 64;

/// Each thread collects what it finds and appends it at once.
void loop(const int* offsets, const int* targets, int* distances, int* frontier, int* next) {
    int size = 1;
    for (int level = 1; size > 0; ++level) {
        int found = 0;
#pragma omp parallel
        {
            std::vector<int> mine;
#pragma omp for schedule(dynamic, 256) nowait
            for (int i = 0; i < size; ++i) {
                const int vertex = frontier[i];
                for (int edge = offsets[vertex]; edge < offsets[vertex + 1]; ++edge) {
                    std::atomic_ref<int> distance(distances[targets[edge]]);
                    int unknown = -1;
                    if (distance.load(std::memory_order_relaxed) < 0 &&
                        distance.compare_exchange_strong(unknown, level, std::memory_order_relaxed))
                        mine.push_back(targets[edge]);
                }
            }
            int place = 0;
#pragma omp atomic capture
            {
                place = found;
                found += static_cast<int>(mine.size());
            }
            std::copy(mine.begin(), mine.end(), next + place);
        }
        std::swap(frontier, next);
        size = found;
    }
}

} // namespace

Benchmark bfs() {
    Benchmark b{"bfs", "2^18 vertices, 2^21 edges", "the host reads each level's size"};
    // Offsets and targets; distances and frontiers, which are written too.
    b.work = {.read = 4.0 * vertices * (3 + degree), .written = 8.0 * vertices};
    const auto sources = random_integers(std::size_t(vertices) * degree, vertices, 1);
    const auto ends = random_integers(sources.size(), vertices, 2);
    std::vector<std::int32_t> offsets(vertices + 1), targets(ends.size());
    for (const int s : sources)
        ++offsets[static_cast<std::size_t>(s) + 1];
    for (std::size_t v = 0; v < vertices; ++v)
        offsets[v + 1] += offsets[v];
    auto place = offsets;
    for (std::size_t i = 0; i < ends.size(); ++i)
        targets[static_cast<std::size_t>(place[static_cast<std::size_t>(sources[i])]++)] = ends[i];
    std::vector<std::int32_t> distances(vertices, -1), frontier(vertices);
    distances[0] = 0;
    Array distance = Array::input(distances), first = Array::input(frontier);
    distance.written = first.written = true;
    distance.check = Array::Check::integers;
    // The sizes of all levels' frontiers begin as zeros.
    b.arrays = {Array::input(offsets), Array::input(targets),        std::move(distance),
                std::move(first),      Array::scratch(vertices * 4), Array::scratch(most_levels * 4)};
    b.kernels = [](Queue& queue) {
        unsigned from = 3, to = 4;
        int size = 1;
        for (int level = 1; size > 0 && level < most_levels; ++level) {
            queue.launch("expand", {(static_cast<unsigned>(size) + 127) / 128}, {128},
                         {size, Memory{from}, Memory{to}, Memory{5}, Memory{0}, Memory{1}, Memory{2}, level});
            size = queue.read(5, static_cast<std::size_t>(level));
            std::swap(from, to);
        }
    };
    b.loop = [](const Host& host) {
        loop(host.get<int>(0), host.get<int>(1), host.get<int>(2), host.get<int>(3), host.get<int>(4));
    };
    return b;
}

} // namespace warplight::bench
