// SPDX-License-Identifier: Apache-2.0
// Accesses that the lanes of a warp make together, for checks: ldmatrix, stmatrix, wmma.load and wmma.store.
//
// In front of each come instructions that give every lane its part: the row whose address it knows, or an equal part
// of the tile's lines. Hooks look at a part as at any other access (Aid::lane_access). Where a lane must leave its part
// out, the warp's instruction gets spare memory in place of that.
#pragma once

#include "added_code.hpp"

namespace warplight::jit {

/// @param leaves_out parts are left out; else they are only told
[[nodiscard]] ChangedFunction add_warp_accesses(const ptx::Function& function, bool leaves_out);
[[nodiscard]] bool has_warp_accesses(const ptx::Function& function);

} // namespace warplight::jit
