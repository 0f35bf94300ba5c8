// SPDX-License-Identifier: Apache-2.0
#include "../benchmark.hpp"

namespace warplight::bench {
namespace {

constexpr int n = 1 << 13, rounds = 2000;

void loop(std::uint32_t* x) {
#pragma omp parallel for schedule(static)
    for (int i = 0; i < n; ++i)
        for (int round = 0; round < rounds; ++round)
            x[i] = x[i] * 1664525U + 1013904223U;
}

} // namespace

Benchmark busy() {
    Benchmark b{"busy", "2^13 integers", ""};
    b.arrays = {Array::input(random_integers<std::uint32_t>(n, 1000, 1))};
    b.kernels = [](Queue& queue) { queue.launch("busy", {n / 128}, {128}, {rounds, Memory{0}}); };
    b.loop = [](const Host& host) { loop(host.get<std::uint32_t>(0)); };
    return b;
}

} // namespace warplight::bench
