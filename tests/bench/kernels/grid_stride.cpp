// SPDX-License-Identifier: Apache-2.0
#include "vector_sum.hpp"

namespace warplight::bench {

Benchmark grid_stride() { return vector_sum("grid_stride", "2^24 floats, 2^18 threads", 1024); }

} // namespace warplight::bench
