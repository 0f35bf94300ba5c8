// SPDX-License-Identifier: Apache-2.0
// Reading a JSON object key by key, so that every complaint carries a pointer to its place.
#pragma once

#include "session/session.hpp"

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

namespace warplight::session {

using ordered_json = nlohmann::ordered_json;

/// A value in the document and where it stands.
class JsonReader {
public:
    /// @throws SessionError when the value is no object.
    JsonReader(const ordered_json& value, std::string pointer);

    const std::string& pointer() const { return pointer_; }
    std::string at(std::string_view key) const { return pointer_ + "/" + std::string(key); }
    /// Null when the key is missing.
    const ordered_json* find(std::string_view key) const;
    bool has(std::string_view key) const { return find(key) != nullptr; }

    std::string text(std::string_view key, std::string fallback = {}) const;
    bool boolean(std::string_view key, bool fallback) const;
    Number number(std::string_view key, Number fallback) const;
    double real(std::string_view key, double fallback) const;
    std::uint64_t unsigned_integer(std::string_view key, std::uint64_t fallback, std::uint64_t most = UINT64_MAX) const;
    std::vector<std::string> texts(std::string_view key) const;
    /// @throws SessionError when the key is missing.
    Shape shape(std::string_view key) const;
    JsonReader object(std::string_view key) const;

    /// The keys that are not in the list, as JSON text; empty when there are none.
    std::string unknown(std::initializer_list<std::string_view> known) const;
    std::string unknown(std::span<const std::string_view> known) const;

    [[noreturn]] void refuse(std::string_view key, const std::string& message) const;

private:
    const ordered_json& value_;
    std::string pointer_;
};

/// One number, or a list of up to three: x, y, z. A missing key is 1, 1, 1.
std::vector<std::uint32_t> read_extents(const JsonReader& reader, std::string_view key);
/// "a number", "a text", … for messages.
std::string_view json_kind(const ordered_json& value);
/// A number, or one of the texts nan, inf, -inf. @throws SessionError.
Number to_number(const ordered_json& value, const std::string& pointer);
ordered_json from_number(const Number& number);
/// A document that came as a message, whose depth is limited. @throws SessionError when it has too many keys.
ordered_json ordered(const nlohmann::json& document);
/// Parses text, limits its depth and keys, and turns a syntax error into one with line and column.
ordered_json parse_json(std::string_view text, std::string_view what);

} // namespace warplight::session
