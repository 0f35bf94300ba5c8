// SPDX-License-Identifier: Apache-2.0
// Integer instructions as x * factor + addend: what each analysis of addresses starts from.
#pragma once

#include "lanes.hpp"

namespace warplight::jit {

inline constexpr unsigned kIndexBits = 32;

/// An instruction on integers of 32 bits or more whose result is `x * factor + addend`, modulo its size. x is
/// operand 1.
struct LinearForm {
    std::size_t factor = 0;     ///< an operand; 0: none, x counts once
    std::size_t addend = 0;     ///< an operand; 0: none
    bool shifts = false;        ///< x << factor
    bool subtracts = false;     ///< x - addend
    bool converts = false;      ///< x has another size than the result
    bool changes_space = false; ///< between a generic address and one of a state space
};
/// Nothing for other instructions, and for those that saturate, take the high half or write the carry flag.
[[nodiscard]] std::optional<LinearForm> linear_form_of(const ptx::Instruction& i);

/// An integer type of 32 bits or more, or an untyped one.
[[nodiscard]] bool is_index(ptx::Type type);

/// The factor, if it is a number in the text; a shift of 31 at most.
[[nodiscard]] std::optional<std::int64_t> constant_factor(const ptx::Instruction& i, const LinearForm& form);

} // namespace warplight::jit
