// SPDX-License-Identifier: Apache-2.0
#include "sparse.hpp"

namespace warplight::bench {
namespace {

constexpr int rows = 1 << 15;

} // namespace

Benchmark spmv_warp() {
    Benchmark b = sparse_product("spmv_warp", "2^15 rows, 32 to 160 values each", rows, 32, 160);
    b.note = "PoCL: local memory, as it has no shuffles";
    b.kernels = [](Queue& queue) {
        queue.launch("spmv", {rows / 8}, {256}, {rows, Memory{0}, Memory{1}, Memory{2}, Memory{3}, Memory{4}});
    };
    return b;
}

} // namespace warplight::bench
