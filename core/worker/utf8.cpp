// SPDX-License-Identifier: Apache-2.0
#include "worker/utf8.hpp"

#include <algorithm>
#include <utility>

namespace warplight::worker {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

unsigned byte_at(std::string_view text, std::size_t at) { return static_cast<unsigned char>(text[at]); }

/// Bytes that a character has by its first one; 0 for a byte that begins none.
std::size_t length_of(unsigned first) {
    if (first < 0x80) return 1;
    if (first >= 0xC2 && first < 0xE0) return 2;
    if (first >= 0xE0 && first < 0xF0) return 3;
    if (first >= 0xF0 && first < 0xF5) return 4;
    return 0;
}

/// May this byte stand at place `index` of a character? Excludes longer forms than needed, surrogates, and what is
/// behind U+10FFFF.
bool continues(unsigned first, std::size_t index, unsigned byte) {
    if (byte < 0x80 || byte > 0xBF) return false;
    if (index != 1) return true;
    if (first == 0xE0) return byte >= 0xA0;
    if (first == 0xED) return byte < 0xA0;
    if (first == 0xF0) return byte >= 0x90;
    return first != 0xF4 || byte < 0x90;
}

/// Bytes at the start of `text` that are those of one character, all or the first of them; `whole` tells which.
std::size_t character(std::string_view text, bool& whole) {
    const unsigned first = byte_at(text, 0);
    const std::size_t length = length_of(first);
    std::size_t count = length == 0 ? 0 : 1;
    while (count < std::min(length, text.size()) && continues(first, count, byte_at(text, count)))
        ++count;
    whole = length != 0 && count == length;
    return count;
}

std::size_t valid_prefix(std::string_view text) {
    std::size_t at = 0;
    while (at < text.size()) {
        bool whole = false;
        const std::size_t count = character(text.substr(at), whole);
        if (!whole) break;
        at += count;
    }
    return at;
}

} // namespace

bool is_utf8(std::string_view text) { return valid_prefix(text) == text.size(); }

std::string as_utf8(std::string_view text) {
    std::string result;
    while (!text.empty()) {
        const std::size_t valid = valid_prefix(text);
        result += text.substr(0, valid);
        text.remove_prefix(valid);
        if (text.empty()) break;
        result += kReplacement;
        text.remove_prefix(1);
    }
    return result;
}

bool has_utf8_only(const nlohmann::json& value) {
    if (value.is_string()) return is_utf8(value.get_ref<const std::string&>());
    if (value.is_array()) return std::all_of(value.begin(), value.end(), has_utf8_only);
    if (!value.is_object()) return true;
    const auto items = value.items();
    return std::all_of(items.begin(), items.end(),
                       [](const auto& item) { return is_utf8(item.key()) && has_utf8_only(item.value()); });
}

nlohmann::json as_utf8(const nlohmann::json& value) {
    if (value.is_string()) return as_utf8(std::string_view(value.get_ref<const std::string&>()));
    if (value.is_array()) {
        nlohmann::json result = nlohmann::json::array();
        for (const auto& each : value)
            result.push_back(as_utf8(each));
        return result;
    }
    if (!value.is_object()) return value;
    nlohmann::json result = nlohmann::json::object();
    for (const auto& [key, each] : value.items())
        result[as_utf8(std::string_view(key))] = as_utf8(each);
    return result;
}

void Utf8Pieces::add(std::string_view piece) {
    const std::string text = std::exchange(begun_, {}) + std::string(piece);
    // A character that the end cuts has three bytes there at most.
    std::size_t keep = 0;
    for (std::size_t back = 1; back <= std::min<std::size_t>(3, text.size()); ++back) {
        const std::string_view tail = std::string_view(text).substr(text.size() - back);
        if (length_of(byte_at(tail, 0)) == 0) continue; // in the middle of a character
        bool whole = false;
        if (character(tail, whole) == back && !whole) keep = back;
        break;
    }
    begun_ = text.substr(text.size() - keep);
    if (text.size() > keep) receive_(as_utf8(std::string_view(text).substr(0, text.size() - keep)));
}

void Utf8Pieces::end() {
    if (!begun_.empty()) receive_(as_utf8(std::string_view(std::exchange(begun_, {}))));
}

} // namespace warplight::worker
