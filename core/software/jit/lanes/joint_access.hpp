// SPDX-License-Identifier: Apache-2.0
// Memory accesses that one operation does for all lanes. Other accesses of their kind are serialised.
#pragma once

#include "lanes.hpp"

namespace warplight::jit {

/// Whether an atomic is combined: all lanes name one element, and one operation does the work of all.
[[nodiscard]] bool is_combined(const ptx::Instruction& i, const LanePlan& plan);

/// Whether a texture instruction has only coordinates and a level. One call then samples for all lanes that name one
/// texture.
[[nodiscard]] bool samples_all_lanes(const ptx::Instruction& i);

} // namespace warplight::jit
