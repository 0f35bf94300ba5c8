// SPDX-License-Identifier: Apache-2.0
// Operations of the lanes of a warp together, after the PTX ISA.
#pragma once

#include "software/jit/abi/abi.hpp"

#include <cstdint>

namespace warplight::software {

/// Writes the answer of each lane in `members` (bits; lanes[i] is lane i). All of them ask for `operation`.
void perform(WarpOperation operation, ThreadContext* lanes, std::uint32_t members);

} // namespace warplight::software
