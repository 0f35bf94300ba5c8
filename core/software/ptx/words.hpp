// SPDX-License-Identifier: Apache-2.0
// What the words of the language mean: spelling to enumerator.
#pragma once

#include "module.hpp"

#include <optional>
#include <string_view>

namespace warplight::ptx {

/// What follows a dot in a mnemonic.
struct Word {
    enum class Kind : std::uint8_t { type, space, vector, modifier };
    Kind kind = Kind::modifier;
    std::uint16_t value = 0; ///< Type, Space, vector width or Modifier
};
[[nodiscard]] const Word* find_word(std::string_view spelling);
[[nodiscard]] Opcode find_opcode(std::string_view spelling); ///< Opcode::invalid when there is none
[[nodiscard]] std::optional<SpecialRegister> find_special_register(std::string_view spelling); ///< without `%`
[[nodiscard]] std::optional<Type> find_type(std::string_view spelling);
[[nodiscard]] std::string_view spelling(SpecialRegister special);
[[nodiscard]] std::string_view spelling(Space space);

} // namespace warplight::ptx
