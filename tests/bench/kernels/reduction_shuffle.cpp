// SPDX-License-Identifier: Apache-2.0
#include "reduction.hpp"

namespace warplight::bench {

Benchmark reduction_shuffle() { return reduction("reduction_shuffle", "PoCL: local memory, as it has no shuffles"); }

} // namespace warplight::bench
