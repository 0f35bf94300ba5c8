// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "module.hpp"

#include <optional>
#include <string>

namespace warplight::ptx {

/// What is wrong with an instruction, or nothing: its modifiers, types, operands and their types, against the table
/// of forms (forms.hpp).
[[nodiscard]] std::optional<std::string> verify(const Module& module, const Function& function,
                                                const Instruction& instruction);

/// The same for texture and surface instructions (verify_texture.cpp).
[[nodiscard]] bool is_texture(Opcode opcode);
[[nodiscard]] std::optional<std::string> verify_texture(const Module& module, const Function& function,
                                                        const Instruction& instruction);

/// The same for instructions of matrices (verify_matrix.cpp).
[[nodiscard]] bool is_matrix(Opcode opcode);
[[nodiscard]] std::optional<std::string> verify_matrix(const Module& module, const Function& function,
                                                       const Instruction& instruction);

} // namespace warplight::ptx
