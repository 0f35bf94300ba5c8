// SPDX-License-Identifier: Apache-2.0
// The frame around a kernel's code: a loop over the block's threads, or a coroutine a thread.
#pragma once

#include "software/jit/front/unit.hpp"

namespace warplight::jit {

/// Emits the kernel and all that it reaches into unit.ir. Throws EmitError.
void emit_kernel(Unit& unit);

} // namespace warplight::jit
