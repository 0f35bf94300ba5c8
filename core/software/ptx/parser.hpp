// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "module.hpp"

#include <string>
#include <string_view>
#include <variant>

namespace warplight::ptx {

/// Why a text is not a module that can run here. `message` reads like ptxas:
/// "ptx, line 12; error: unknown instruction 'foo.s32'".
struct ParseError {
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    std::string message;
    /// The text is sound but newer than this parser (CUDA_ERROR_UNSUPPORTED_PTX_VERSION).
    bool unsupported_version = false;
};

/// Parses and verifies. Never throws on bad text, whatever the text.
[[nodiscard]] std::variant<Module, ParseError> parse(std::string_view text);

} // namespace warplight::ptx
