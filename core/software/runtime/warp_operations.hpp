// SPDX-License-Identifier: Apache-2.0
// Operations of the lanes of a warp together, after the PTX ISA.
#pragma once

#include "software/jit/abi/abi.hpp"

#include <cstdint>
#include <optional>

namespace warplight::software {

/// The lane whose value a shuffle gives to `lane`; nothing for other operations, and where the lane would lie outside
/// of its segment, so that it keeps its own value.
[[nodiscard]] std::optional<std::uint32_t> shuffle_source(const ThreadContext& thread, std::uint32_t lane);

/// Writes the answer of each lane in `members` (bits; lanes[i] is lane i). All of them ask for `operation`.
void perform(WarpOperation operation, ThreadContext* lanes, std::uint32_t members);

} // namespace warplight::software
