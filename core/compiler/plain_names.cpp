// SPDX-License-Identifier: Apache-2.0
#include "compiler/plain_names.hpp"

#include "compiler/platform.hpp"
#include "compiler/text.hpp"

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
    for (const auto& [plain, own] : names_) {
        replace_all(text, plain, own);
        replace_all(text, escaped(plain), escaped(own)); // as in a string of PTX
    }
}

} // namespace warplight::compiler
