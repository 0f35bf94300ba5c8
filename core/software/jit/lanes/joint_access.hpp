// SPDX-License-Identifier: Apache-2.0
// Memory accesses that one operation does for all lanes. Other accesses of their kind are serialised.
#pragma once

#include "lanes.hpp"

#include "software/jit/analysis/sums.hpp"
#include <cstdint>

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

/// Whether lanes are as far apart as structures of three to seven elements, such as three bytes or three floats. Where
/// all elements are accessed, whole vectors are moved (emit/lanes/row_loads, row_stores).
/// @param row bytes from lane to lane
/// @param bytes of an element
[[nodiscard]] inline bool is_short_row(std::int64_t row, std::int64_t bytes) {
    constexpr std::int64_t kPieceBytes = 16; // rows of those are moved piece by piece
    return row % bytes == 0 && row >= 3 * bytes && row <= 7 * bytes && row % kPieceBytes != 0;
}

} // namespace warplight::jit
