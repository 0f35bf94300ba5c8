// SPDX-License-Identifier: Apache-2.0
#include "reduction.hpp"

namespace warplight::bench {

Benchmark reduction_shared() { return reduction("reduction_shared", ""); }

} // namespace warplight::bench
