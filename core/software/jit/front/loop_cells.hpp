// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "added_code.hpp"

#include <optional>

namespace warplight::jit {

/// Keeps in registers what loops store at the same address in each round. An example:
///
///     A: ld u, [p]; ld v, [q]; fma s, u, v, s; st [t], s; …   @c bra A;
///
/// Compilers have to leave the store in the loop, as p or q might reach t. Here the loop is done without it. Behind it
/// a test compares t with all that p and q went through. The value is stored where they lie apart. Else the loop
/// begins again, as it was. Nothing where there is no such loop.
[[nodiscard]] std::optional<ChangedFunction> with_loop_cells(const ptx::Function& function);

} // namespace warplight::jit
