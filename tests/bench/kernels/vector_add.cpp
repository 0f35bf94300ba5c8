// SPDX-License-Identifier: Apache-2.0
#include "vector_sum.hpp"

namespace warplight::bench {

Benchmark vector_add() { return vector_sum("vector_add", "2^24 floats", kSummands / 256); }

} // namespace warplight::bench
