// SPDX-License-Identifier: Apache-2.0
// Follows values that nothing wrote through a function. Registers that may hold such a value get a second one, their
// shadow: its bits are 1 where the value's bits come from memory that nothing wrote. Memory has a shadow too, at a
// distance that is the same everywhere. The instructions that are added here keep both, as PTX: so they run side by
// side as the others do. A copy takes the shadow along. Where a value is used, the runtime is told.
#pragma once

#include "added_code.hpp"
#include "software/ptx/module.hpp"

namespace warplight::jit {

[[nodiscard]] ChangedFunction add_shadows(const ptx::Module& module, const ptx::Function& function);

} // namespace warplight::jit
