// SPDX-License-Identifier: Apache-2.0
// Accesses to memory that are one operation for all lanes, where other instructions of their kind are serialised.
#pragma once

#include "lanes.hpp"

namespace warplight::jit {

/// A combined atomic: the lanes' atomic operations are on one element, and one operation does all of them.
[[nodiscard]] bool is_combined(const ptx::Instruction& i, const LanePlan& plan);

/// The texture instruction has coordinates and a level, nothing more. One call then samples for all lanes, if they name
/// the same texture.
[[nodiscard]] bool samples_all_lanes(const ptx::Instruction& i);

} // namespace warplight::jit
