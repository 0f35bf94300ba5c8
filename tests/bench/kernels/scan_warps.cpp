// SPDX-License-Identifier: Apache-2.0
#include "scan.hpp"

namespace warplight::bench {

Benchmark scan_warps() { return scan_by_levels("scan_warps", "PoCL: local memory, as it has no shuffles", 1024); }

} // namespace warplight::bench
