// SPDX-License-Identifier: Apache-2.0
#include "sparse.hpp"

namespace warplight::bench {
namespace {

constexpr int rows = 1 << 18;

} // namespace

Benchmark spmv() {
    Benchmark b = sparse_product("spmv", "2^18 rows, 4 to 28 values each", rows, 4, 28);
    b.kernels = [](Queue& queue) {
        queue.launch("spmv", {rows / 256}, {256}, {rows, Memory{0}, Memory{1}, Memory{2}, Memory{3}, Memory{4}});
    };
    return b;
}

} // namespace warplight::bench
