// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "added_code.hpp"
#include "software/jit/lanes/lanes.hpp"

#include <optional>

namespace warplight::jit {

/// Whether a function has what inner_code() looks for, before anything is planned.
[[nodiscard]] bool may_have_inner_code(const ptx::Function& function);

/// Gives code that clamps the lanes' indices, and accesses memory by them, a second version:
///
///     max i, x, 0;   min i, i, w1;   …   ld v, [a];
///
/// Away from the edges of a picture a clamp leaves all lanes' indices as they are. One test of the first and the last
/// lane tells so. Behind it comes the same code without the clamps, in registers of its own, so that its addresses are
/// affine. So it is with remainders. Nothing where there is no such code.
/// @param plan of the function
[[nodiscard]] std::optional<ChangedFunction> inner_code(const ptx::Function& function, const LanePlan& plan);

} // namespace warplight::jit
