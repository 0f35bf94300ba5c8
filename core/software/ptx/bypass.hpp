// SPDX-License-Identifier: Apache-2.0
// Ways around an instruction.
#pragma once

#include "module.hpp"

#include <cstdint>

namespace warplight::ptx {

/// Whether a thread that never comes to an instruction can do something behind it all the same, as threads that came
/// do: write memory, call, or meet other threads. False where those that do not come only end, as behind an early
/// return.
[[nodiscard]] bool is_bypassed(const Function& function, std::uint32_t instruction);

} // namespace warplight::ptx
