// SPDX-License-Identifier: Apache-2.0
// Integer instructions as x * factor + addend. Each analysis of addresses starts from this form.
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
    bool converts = false;      ///< x and the result differ in size
    bool changes_space = false; ///< between generic addresses and those of a state space
};
/// None for other instructions, and for an instruction that saturates, takes the high half or writes the carry flag.
[[nodiscard]] std::optional<LinearForm> linear_form_of(const ptx::Instruction& i);

/// An integer type of 32 bits or more, or an untyped one.
[[nodiscard]] bool is_index(ptx::Type type);

/// The factor, if it is an immediate. Of a shift: a power of two, up to 1 << 31.
[[nodiscard]] std::optional<std::int64_t> constant_factor(const ptx::Instruction& i, const LinearForm& form);

} // namespace warplight::jit
