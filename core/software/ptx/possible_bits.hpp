// SPDX-License-Identifier: Apache-2.0
// Which bits of a number can differ from zero, by the instructions that make it.
#pragma once

#include "module.hpp"

#include <cstdint>

namespace warplight::ptx {

/// Of an integer operand. All bits where nothing is known. Looks a few instructions back, which takes a pass over the
/// function for each.
[[nodiscard]] std::uint64_t possible_bits(const Function& function, const Operand& operand);

} // namespace warplight::ptx
