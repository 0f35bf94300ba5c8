// SPDX-License-Identifier: Apache-2.0
// All LLVM functions of a kernel: its code, the functions that it calls, and the frame around it (frame.hpp).
#pragma once

#include "unit.hpp"

namespace warplight::jit {

/// Emits the kernel and all functions that it reaches into unit.ir. Throws EmitError.
void emit_kernel(Unit& unit);

} // namespace warplight::jit
