// SPDX-License-Identifier: Apache-2.0
#include "export/template_text.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>

namespace warplight::exporting {
namespace {

bool is_name(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) { return (c >= 'A' && c <= 'Z') || c == '_'; });
}

const std::string& filling_of(std::string_view name, const Fillings& fillings) {
    for (const auto& [each, text] : fillings)
        if (each == name) return text;
    throw std::logic_error(fmt::format("a template has nothing for @{}@", name));
}

std::string filled_line(std::string_view line, const Fillings& fillings) {
    std::string result;
    while (!line.empty()) {
        const auto begin = line.find('@');
        const auto end = begin == std::string_view::npos ? begin : line.find('@', begin + 1);
        if (end == std::string_view::npos) break;
        const auto name = line.substr(begin + 1, end - begin - 1);
        result += line.substr(0, begin);
        if (!is_name(name)) {
            result += '@';
            line.remove_prefix(begin + 1);
            continue;
        }
        result += filling_of(name, fillings);
        line.remove_prefix(end + 1);
    }
    return result.append(line);
}

std::string indented(std::string_view text, std::string_view indent) {
    std::string result;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        if (end != 0) result.append(indent).append(text.substr(0, end));
        result += '\n';
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return result;
}

} // namespace

std::string fill(std::string_view text, const Fillings& fillings) {
    std::string result;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        const auto line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        const auto begin = std::min(line.find_first_not_of(' '), line.size());
        const auto word = line.substr(begin);
        if (word.size() > 2 && word.front() == '@' && word.back() == '@' && is_name(word.substr(1, word.size() - 2)))
            result += indented(filling_of(word.substr(1, word.size() - 2), fillings), line.substr(0, begin));
        else
            result += filled_line(line, fillings) + '\n';
    }
    return result;
}

} // namespace warplight::exporting
