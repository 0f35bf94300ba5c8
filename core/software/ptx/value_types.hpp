// SPDX-License-Identifier: Apache-2.0
// Of which type the values are that an instruction loads, stores or changes in memory.
#pragma once

#include "module.hpp"

#include <cstdint>

namespace warplight::ptx {

/// Of each element, as the instruction says it. Where it says only how many bits they are (`.b32`), what the
/// instructions tell that make the values, or use them; still bits where nothing tells, or they contradict each other.
[[nodiscard]] Type type_in_memory(const Function& function, std::uint32_t instruction);

/// A store of numbers that stand in the text. Compilers write floats that way too, as integers: `st.u32` of 1069547520
/// is 1.5f.
[[nodiscard]] bool stores_constant(const Function& function, std::uint32_t instruction);

} // namespace warplight::ptx
