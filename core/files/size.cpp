// SPDX-License-Identifier: Apache-2.0
#include "files/size.hpp"

#include <charconv>
#include <cstdlib>

namespace warplight::files {

std::optional<std::uint64_t> parse_size(std::string_view text) {
    while (!text.empty() && (text.back() == 'B' || text.back() == 'b' || text.back() == 'i'))
        text.remove_suffix(1);
    unsigned shift = 0;
    if (!text.empty()) {
        switch (text.back()) {
        case 'k':
        case 'K': shift = 10; break;
        case 'm':
        case 'M': shift = 20; break;
        case 'g':
        case 'G': shift = 30; break;
        case 't':
        case 'T': shift = 40; break;
        default: break;
        }
        if (shift) text.remove_suffix(1);
    }
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value > (UINT64_MAX >> shift)) return std::nullopt;
    return value << shift;
}

std::uint64_t size_from_environment(const char* variable, std::uint64_t otherwise) {
    const char* text = std::getenv(variable);
    return text ? parse_size(text).value_or(otherwise) : otherwise;
}

} // namespace warplight::files
