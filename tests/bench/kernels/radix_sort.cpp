// SPDX-License-Identifier: Apache-2.0
#include "../benchmark.hpp"

#include <omp.h>

#include <array>
#include <utility>

namespace warplight::bench {
namespace {

constexpr int n = 1 << 20, digits = 256, block = 2048, blocks = n / block;

/// Four digits of eight bits as well. Each thread counts and scatters its part of the keys.
void loop(std::uint32_t* keys, std::uint32_t* other) {
    std::vector<std::array<int, digits>> places(static_cast<std::size_t>(omp_get_max_threads()));
#pragma omp parallel
    {
        std::uint32_t *in = keys, *out = other;
        auto& mine = places[static_cast<std::size_t>(omp_get_thread_num())];
        const auto threads = static_cast<std::size_t>(omp_get_num_threads());
        for (int shift = 0; shift < 32; shift += 8) {
            mine.fill(0);
#pragma omp for schedule(static)
            for (int i = 0; i < n; ++i)
                ++mine[in[i] >> shift & (digits - 1)];
#pragma omp single
            for (std::size_t digit = 0, place = 0; digit < digits; ++digit)
                for (std::size_t thread = 0; thread < threads; ++thread)
                    place += static_cast<std::size_t>(std::exchange(places[thread][digit], static_cast<int>(place)));
#pragma omp for schedule(static)
            for (int i = 0; i < n; ++i)
                out[mine[in[i] >> shift & (digits - 1)]++] = in[i];
            std::swap(in, out);
        }
    }
}

} // namespace

Benchmark radix_sort() {
    Benchmark b{"radix_sort", "2^20 integers, digits of 8 bits", "PoCL: local memory, as it has no warps"};
    // Counting reads the keys, scattering reads and writes them.
    b.work = {.read = 8.0 * n, .written = 4.0 * n, .passes = 4};
    Array keys = Array::input(random_integers<std::uint32_t>(n, ~0U, 1));
    keys.written = true;
    keys.check = Array::Check::integers;
    b.arrays = {std::move(keys), Array::scratch(n * 4), Array::scratch(std::size_t{4} * digits * blocks)};
    b.kernels = [](Queue& queue) {
        for (int shift = 0; shift < 32; shift += 8) {
            const unsigned from = shift % 16 == 0 ? 0 : 1;
            queue.launch("count", {blocks}, {256}, {shift, Memory{from}, Memory{2}});
            queue.launch("scan", {1}, {1024}, {digits * blocks, Memory{2}});
            queue.launch("scatter", {blocks}, {256}, {shift, Memory{from}, Memory{2}, Memory{1 - from}});
        }
    };
    b.loop = [](const Host& host) { loop(host.get<std::uint32_t>(0), host.get<std::uint32_t>(1)); };
    return b;
}

} // namespace warplight::bench
