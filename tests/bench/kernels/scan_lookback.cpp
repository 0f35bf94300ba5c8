// SPDX-License-Identifier: Apache-2.0
#include "../benchmark.hpp"
#include "scan.hpp"

namespace warplight::bench {

Benchmark scan_lookback() {
    constexpr int n = 1 << 22, tiles = n / 1024;
    Benchmark b{"scan_lookback", "2^22 integers", ""};
    b.work = {.read = 4.0 * n, .written = 4.0 * n, .integers = n};
    b.arrays = {Array::input(random_integers(n, 100, 1)), Array::integers(n), Array::scratch(tiles * 4),
                Array::scratch(4)};
    b.kernels = [](Queue& queue) {
        queue.launch("scan", {tiles}, {256}, {Memory{0}, Memory{1}, Memory{2}, Memory{3}});
    };
    b.loop = [](const Host& host) { prefix_sums(n, host.get<int>(0), host.get<int>(1)); };
    return b;
}

} // namespace warplight::bench
