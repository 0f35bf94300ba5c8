// SPDX-License-Identifier: Apache-2.0
// Memory accesses that one operation does for all lanes. Other accesses of their kind are serialised.
#pragma once

#include "lanes.hpp"
#include "software/jit/analysis/sums.hpp"

namespace warplight::jit {

/// Whether one operation on an element of memory does the work of several lanes' ones on that element.
[[nodiscard]] bool can_be_combined(const ptx::Function& kernel, const ptx::Instruction& i);
/// A sum of f32 or f64. Several lanes' ones can be one operation too, that adds their numbers one after the other.
[[nodiscard]] bool adds_floats(const ptx::Instruction& i);
/// Whether an atomic is combined: all lanes name one element, and one operation does the work of all.
[[nodiscard]] bool is_combined(const ptx::Function& kernel, const ptx::Instruction& i, const LanePlan& plan);

/// Whether lanes' elements lie so near to each other that whole vectors with all between them are read: members of
/// small structures.
[[nodiscard]] inline bool lies_near(std::int64_t stride, std::int64_t bytes) {
    constexpr std::int64_t kMostElements = 8;
    return stride > bytes && stride <= kMostElements * bytes && stride % bytes == 0;
}

/// Whether a texture instruction has only coordinates and a level. One call then samples for all lanes that name one
/// texture.
[[nodiscard]] bool samples_all_lanes(const ptx::Instruction& i);

} // namespace warplight::jit
