// SPDX-License-Identifier: Apache-2.0
// Products of matrices as functions of the kernel's module, on vectors of the host.
#pragma once

#include "software/jit/front/unit.hpp"
#include "software/ptx/matrix.hpp"

namespace warplight::jit {

/// void(a, b, c, d): each points to registers, 32 words a register, a word a lane. Null: no better than
/// wl_matrix_multiply().
[[nodiscard]] llvm::Function* matrix_kernel(Unit& unit, const ptx::MatrixForm& form);

} // namespace warplight::jit
