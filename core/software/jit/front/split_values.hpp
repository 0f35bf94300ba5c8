// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "added_code.hpp"

#include <optional>

namespace warplight::jit {

/// Gives the first value of a loop's index a register of its own, where code before or beside the loop computes with
/// that value alone. PTX has one register for both:
///
///     add i, row, lane;   mul.wide p, i, 4;   LOOP: …  add i, i, 32;  …
///
/// The index differs between lanes that leave the loop at different times. The address `p` does not, but the analysis
/// of lanes has one value for a register. Nothing where there is no such index.
[[nodiscard]] std::optional<ChangedFunction> split_values(const ptx::Function& function);

} // namespace warplight::jit
