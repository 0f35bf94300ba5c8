// SPDX-License-Identifier: Apache-2.0
#include "local_array.hpp"

#include <algorithm>
#include <charconv>

namespace warplight::ptx {
namespace {

constexpr std::string_view kPrefix = "__local_array$";
constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

/// What stands before the next dollar sign.
template <class Number>
bool take(std::string_view& text, Number& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const auto digits = static_cast<std::size_t>(end - text.data());
    if (error != std::errc() || digits == text.size() || text[digits] != '$') return false;
    text.remove_prefix(digits + 1);
    return true;
}

std::string identifier(std::string name) {
    std::replace_if(name.begin(), name.end(), [](char c) { return kLetters.find(c) == std::string_view::npos; }, '_');
    return name;
}

} // namespace

std::string name_of(const LocalArray& array) {
    std::string name = std::string(kPrefix) + std::to_string(array.offset) + '$' + std::to_string(array.lead) + '$' +
                       std::to_string(array.line) + '$' + identifier(array.name);
    if (!array.other.empty()) name += '$' + identifier(array.other);
    return name;
}

std::optional<LocalArray> local_array_of(std::string_view name) {
    if (!name.starts_with(kPrefix)) return std::nullopt;
    name.remove_prefix(kPrefix.size());
    LocalArray array;
    if (!take(name, array.offset) || !take(name, array.lead) || !take(name, array.line)) return std::nullopt;
    const std::size_t end = name.find('$');
    array.name = name.substr(0, end);
    if (end != std::string_view::npos) array.other = name.substr(end + 1);
    return array;
}

} // namespace warplight::ptx
