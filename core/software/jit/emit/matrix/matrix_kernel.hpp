// SPDX-License-Identifier: Apache-2.0
// Matrix products as functions of the kernel's module, on vectors of the host.
#pragma once

#include "software/jit/emit/unit.hpp"
#include "software/ptx/matrix.hpp"

namespace warplight::jit {

/// void(a, b, c, d): addresses of registers, each of 32 words, one for each lane. Null: wl_matrix_multiply() is as
/// good.
[[nodiscard]] llvm::Function* matrix_kernel(Unit& unit, const ptx::MatrixForm& form);

} // namespace warplight::jit
