// SPDX-License-Identifier: Apache-2.0
#include "scan.hpp"

namespace warplight::bench {

Benchmark scan_blelloch() { return scan_by_levels("scan_blelloch", "", 512); }

} // namespace warplight::bench
