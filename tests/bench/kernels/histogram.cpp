// SPDX-License-Identifier: Apache-2.0
#include "../benchmark.hpp"

namespace warplight::bench {
namespace {

/// Each thread counts for itself, in four tables so that equal neighbours do not wait for each other.
void loop(std::ptrdiff_t bytes, const unsigned char* in, unsigned* bins) {
#pragma omp parallel
    {
        unsigned counts[4][256] = {};
#pragma omp for schedule(static)
        for (std::ptrdiff_t i = 0; i < bytes; i += 4)
            for (int k = 0; k < 4; ++k)
                ++counts[k][in[i + k]];
        for (int bin = 0; bin < 256; ++bin)
#pragma omp atomic
            bins[bin] += counts[0][bin] + counts[1][bin] + counts[2][bin] + counts[3][bin];
    }
}

} // namespace

Benchmark histogram() {
    constexpr int bytes = 1 << 24;
    Benchmark b{"histogram", "2^24 bytes, 256 bins", "OpenMP: a table a thread, no atomics in the loop"};
    b.work = {.read = bytes, .integers = bytes};
    b.arrays = {Array::input(random_integers<unsigned char>(bytes, 256, 1)), Array::integers(256)};
    b.kernels = [](Queue& queue) { queue.launch("histogram", {256}, {256}, {bytes / 4, Memory{0}, Memory{1}}); };
    b.loop = [](const Host& host) { loop(bytes, host.get<unsigned char>(0), host.get<unsigned>(1)); };
    return b;
}

} // namespace warplight::bench
