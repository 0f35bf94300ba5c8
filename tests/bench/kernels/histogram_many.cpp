// SPDX-License-Identifier: Apache-2.0
#include "histogram_global.hpp"

namespace warplight::bench {

Benchmark histogram_many() { return histogram_global("histogram_many", "2^20 integers, 65536 bins", 1 << 16); }

} // namespace warplight::bench
