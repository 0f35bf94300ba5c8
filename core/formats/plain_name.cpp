// SPDX-License-Identifier: Apache-2.0
#include "formats/plain_name.hpp"

#include <fmt/format.h>
#include <iterator>

namespace warplight::formats {

std::string plain_name(std::string_view name, NameBytes bytes) {
    std::string result;
    for (const char letter : name) {
        const auto code = static_cast<unsigned char>(letter);
        const bool control = code < 0x20 || code == 0x7F;
        if (control || (code >= 0x80 && bytes == NameBytes::unknown))
            fmt::format_to(std::back_inserter(result), "\\x{:02x}", code);
        else
            result += letter;
    }
    return result;
}

} // namespace warplight::formats
