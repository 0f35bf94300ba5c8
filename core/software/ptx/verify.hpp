// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "module.hpp"

#include <optional>
#include <string>

namespace warplight::ptx {

/// The error of an instruction, or nothing: checks its modifiers, types and operands against the table of forms
/// (forms.hpp).
[[nodiscard]] std::optional<std::string> verify(const Module& module, const Function& function,
                                                const Instruction& instruction);

struct Form;
/// The first row of forms.def that an instruction has the form of; null: none, or its opcode has no rows there.
[[nodiscard]] const Form* form_of(const Module& module, const Function& function, const Instruction& instruction);

/// Whether a register of type `have` may stand where an instruction wants a value of `wanted`; relaxed: also a wider
/// one. Packed and 16-bit floats live in registers of any integer or untyped kind.
[[nodiscard]] bool register_fits(Type have, Type wanted, bool relaxed);

/// verify() for texture and surface instructions (verify_texture.cpp).
[[nodiscard]] std::optional<std::string> verify_texture(const Module& module, const Function& function,
                                                        const Instruction& instruction);

/// verify() for instructions of matrices (verify_matrix.cpp).
[[nodiscard]] std::optional<std::string> verify_matrix(const Module& module, const Function& function,
                                                       const Instruction& instruction);

} // namespace warplight::ptx
