// SPDX-License-Identifier: Apache-2.0
#include "remote/shell_words.hpp"

#include <algorithm>
#include <stdexcept>

namespace warplight::remote {
namespace {

bool is_control_character(char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7f; }

/// Letters that mean nothing to any shell.
bool is_safe_in_shells(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-_./:@+,").find(c) != std::string_view::npos;
}

} // namespace

std::string quoted_for_shells(std::string_view word) {
    if (std::ranges::any_of(word, is_control_character))
        throw std::invalid_argument("a word of a command for another machine has a line break or a control character");
    if (!word.empty() && std::ranges::all_of(word, is_safe_in_shells)) return std::string(word);
    // Single quotes keep all but three characters in every shell. csh replaces '!' in them, fish takes '\' for itself.
    std::string text = "'";
    for (const char c : word) {
        if (c == '\'' || c == '\\' || c == '!') {
            text += "'\\";
            text += c;
            text += '\'';
        } else {
            text += c;
        }
    }
    return text + "'";
}

std::string joined_for_shells(const std::vector<std::string>& words) {
    std::string line;
    for (const auto& word : words) {
        if (!line.empty()) line += ' ';
        line += quoted_for_shells(word);
    }
    return line;
}

std::string in_posix_shell(std::string_view script) { return "sh -c " + quoted_for_shells(script); }

} // namespace warplight::remote
