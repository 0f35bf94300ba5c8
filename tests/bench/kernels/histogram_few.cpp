// SPDX-License-Identifier: Apache-2.0
#include "histogram_global.hpp"

namespace warplight::bench {

Benchmark histogram_few() { return histogram_global("histogram_few", "2^20 integers, 16 bins", 16); }

} // namespace warplight::bench
