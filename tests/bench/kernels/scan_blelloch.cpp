// SPDX-License-Identifier: Apache-2.0
#include "../benchmark.hpp"
#include "scan.hpp"

namespace warplight::bench {

Benchmark scan_blelloch() {
    constexpr int n = 1 << 22, items = 1024, blocks = n / items, groups = blocks / items;
    static_assert(groups >= 1 && groups <= items);
    Benchmark b{"scan_blelloch", "2^22 integers", ""};
    // Input and result; the blocks' sums, scanned; the sums of groups of 1024 blocks, scanned; their sum.
    b.arrays = {Array::input(random_integers(n, 100, 1)),
                Array::integers(n),
                Array::scratch(blocks * 4),
                Array::scratch(blocks * 4),
                Array::scratch(items * 4),
                Array::scratch(items * 4),
                Array::scratch(4)};
    b.kernels = [](Queue& queue) {
        queue.launch("scan_blocks", {blocks}, {items / 2}, {Memory{0}, Memory{1}, Memory{2}});
        queue.launch("scan_blocks", {groups}, {items / 2}, {Memory{2}, Memory{3}, Memory{4}});
        queue.launch("scan_blocks", {1}, {items / 2}, {Memory{4}, Memory{5}, Memory{6}});
        queue.launch("add_sums", {groups}, {items / 2}, {Memory{3}, Memory{5}});
        queue.launch("add_sums", {blocks}, {items / 2}, {Memory{1}, Memory{3}});
    };
    b.loop = [](const Host& host) { prefix_sums(n, host.get<int>(0), host.get<int>(1)); };
    return b;
}

} // namespace warplight::bench
