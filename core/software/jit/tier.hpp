// SPDX-License-Identifier: Apache-2.0
// How much is done for the speed of code. It is emitted the same in each tier: lanes, order of operations and of
// accesses. So the results are the same, bit for bit but for the bits of NaN.
#pragma once

#include <cstdint>

namespace warplight::jit {

enum class Tier : std::uint8_t {
    fast,  ///< all passes
    quick, ///< made in about half the time, and takes about twice the time to run
};

enum class TierSetting : std::uint8_t {
    automatic, ///< quick code first where that pays, and fast code later
    quick,     ///< quick code only, also where fast code is in the object cache: for tests
    fast,      ///< fast code only
};
/// WARPLIGHT_JIT_TIER in the environment: `auto`, `quick` or `fast`. Read once.
[[nodiscard]] TierSetting tier_setting();

} // namespace warplight::jit
