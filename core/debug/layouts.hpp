// SPDX-License-Identifier: Apache-2.0
// Layouts of parameters and variables, from the DWARF of PTX (--device-debug).
#pragma once

#include "debug/layout.hpp"

#include <string_view>
#include <vector>

namespace warplight::debug {

/// One entry for each kernel, and one for the variables of the module. Empty for PTX without DWARF, or that cannot be
/// read.
[[nodiscard]] std::vector<NamedLayouts> read_layouts(std::string_view ptx);

} // namespace warplight::debug
