// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "added_code.hpp"

#include <optional>

namespace warplight::jit {

/// The function with numbers in the place of registers that just have been set to them: in integer instructions whose
/// result may be the same in all lanes, or equally far apart. Compilers set a register to 0 and copy it to others; if
/// it holds a number of each lane's own later, the plan would take its copies for such numbers too. They divide a
/// thread's number by a power of two as if it could be negative. Nothing where there is no such register.
[[nodiscard]] std::optional<ChangedFunction> with_known_numbers(const ptx::Function& function);

} // namespace warplight::jit
