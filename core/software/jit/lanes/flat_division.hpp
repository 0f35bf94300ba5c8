// SPDX-License-Identifier: Apache-2.0
// Divisions of integers, also those that compilers have made products of. Example, x / 100 with a sign:
//
//     mul.hi.s32 m, x, 1374389535;  shr.u32 sign, m, 31;  shr.s32 h, m, 5;  add.s32 quotient, h, sign;
#pragma once

#include "lanes.hpp"

namespace warplight::jit {

struct FlatDivision {
    ptx::Operand x, by; ///< registers, or `by` a number
    ptx::Type type;
    bool remainder = false;
};

/// The division whose result an instruction writes, if it is one.
[[nodiscard]] std::optional<FlatDivision> flat_division(const ptx::Function& kernel, const LaneBlocks& blocks,
                                                        std::uint32_t at);

} // namespace warplight::jit
