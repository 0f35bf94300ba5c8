// SPDX-License-Identifier: Apache-2.0
#include "compiler/plain_names.hpp"

#include "compiler/platform.hpp"

#include <algorithm>
#include <string_view>

namespace warplight::compiler {

std::string PlainNames::of(const std::string& name) {
    const auto is_ascii = [](unsigned char c) { return c < 128; };
    if (std::ranges::all_of(name, is_ascii)) return name;
    std::string plain = platform::ascii_path(name).string();
    if (plain != name) {
        names_.emplace_back(plain, name);
        // A file's name begins with its folder's, which must not be taken first.
        std::ranges::sort(names_, std::ranges::greater(), [](const auto& each) { return each.first.size(); });
    }
    return plain;
}

std::string PlainNames::of_option(const std::string& option) {
    for (const std::string_view prefix : {"--include-path=", "-include-path=", "-I"})
        if (option.starts_with(prefix)) return std::string(prefix) + of(option.substr(prefix.size()));
    return option;
}

void PlainNames::restore(std::string& text) const {
    const auto replace = [&text](const std::string& plain, const std::string& own) {
        for (std::size_t at = text.find(plain); at != std::string::npos; at = text.find(plain, at + own.size()))
            text.replace(at, plain.size(), own);
    };
    // As in a string of PTX.
    const auto escaped = [](const std::string& name) {
        std::string result;
        for (const char c : name)
            result.append(c == '\\' ? 2 : 1, c);
        return result;
    };
    for (const auto& [plain, own] : names_) {
        replace(plain, own);
        replace(escaped(plain), escaped(own));
    }
}

} // namespace warplight::compiler
