// SPDX-License-Identifier: Apache-2.0
// Which loads the values of an instruction may come from.
#pragma once

#include "module.hpp"

#include <cstdint>
#include <vector>

namespace warplight::ptx {

enum class Used : std::uint8_t { values, addresses };

/// Instructions that read memory, and whose results the values that an instruction uses, or its addresses, are made of:
/// in any order of execution, but not through memory, not by other addresses, and not in other functions.
[[nodiscard]] std::vector<std::uint32_t> loads_behind(const Function& function, std::uint32_t instruction, Used used);

} // namespace warplight::ptx
