// SPDX-License-Identifier: Apache-2.0
// What compilers make of file names in their output.
#pragma once

#include <string>
#include <string_view>

namespace warplight::compiler {

/// A name as compilers write it between quotation marks, and on one line. ptx::string_value() reads it back.
inline std::string escaped(std::string_view name) {
    std::string result;
    for (const char c : name) {
        if (c == '"' || c == '\\') result += '\\';
        result += static_cast<unsigned char>(c) < ' ' ? '?' : c;
    }
    return result;
}

inline void replace_all(std::string& text, std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

} // namespace warplight::compiler
