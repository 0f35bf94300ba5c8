// SPDX-License-Identifier: Apache-2.0
#include "session/json_reader.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <utility>

namespace warplight::session {
namespace {

// No session is that deep, and recursive code can walk it.
constexpr int deepest = 64;
constexpr std::size_t largest_text = std::size_t(64) << 20;
// Keys in their order are found one after the other, so the time for them grows by the square.
constexpr std::size_t most_keys = 20000;

/// Counts keys until there are too many. The value is not nested deeper than a message may be.
void count_keys(const nlohmann::json& value, std::size_t& keys) {
    if (value.is_object()) keys += value.size();
    if (!value.is_structured()) return;
    for (const auto& each : value)
        if (keys <= most_keys) count_keys(each, keys);
}

} // namespace

std::string_view json_kind(const ordered_json& value) {
    switch (value.type()) {
    case ordered_json::value_t::null: return "null";
    case ordered_json::value_t::object: return "an object";
    case ordered_json::value_t::array: return "a list";
    case ordered_json::value_t::string: return "a text";
    case ordered_json::value_t::boolean: return "true or false";
    case ordered_json::value_t::binary: return "binary data";
    default: return "a number";
    }
}

JsonReader::JsonReader(const ordered_json& value, std::string pointer) : value_(value), pointer_(std::move(pointer)) {
    if (!value.is_object())
        throw SessionError(fmt::format("{} must be an object {{…}}, but is {}.",
                                       pointer_.empty() ? "A session" : "The value at " + pointer_, json_kind(value)),
                           pointer_);
}

void JsonReader::refuse(std::string_view key, const std::string& message) const {
    throw SessionError(fmt::format("\"{}\" {} (at {} in the session).", key, message, at(key)), at(key));
}

const ordered_json* JsonReader::find(std::string_view key) const {
    const auto found = value_.find(std::string(key));
    return found == value_.end() ? nullptr : &*found;
}

std::string JsonReader::text(std::string_view key, std::string fallback) const {
    const auto* value = find(key);
    if (!value) return fallback;
    if (!value->is_string()) refuse(key, fmt::format("must be a text, but is {}", json_kind(*value)));
    return value->get<std::string>();
}

bool JsonReader::boolean(std::string_view key, bool fallback) const {
    const auto* value = find(key);
    if (!value) return fallback;
    if (!value->is_boolean()) refuse(key, fmt::format("must be true or false, but is {}", json_kind(*value)));
    return value->get<bool>();
}

Number to_number(const ordered_json& value, const std::string& pointer) {
    if (value.is_number_unsigned()) {
        const auto number = value.get<std::uint64_t>();
        if (std::in_range<std::int64_t>(number)) return static_cast<std::int64_t>(number);
        return number;
    }
    if (value.is_number_integer()) return value.get<std::int64_t>();
    if (value.is_number_float()) return value.get<double>();
    if (value.is_string()) {
        const auto text = value.get<std::string>();
        if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
        if (text == "inf") return std::numeric_limits<double>::infinity();
        if (text == "-inf") return -std::numeric_limits<double>::infinity();
    }
    throw SessionError(fmt::format("The value at {} must be a number (or \"nan\", \"inf\", \"-inf\"), but is {}.",
                                   pointer, json_kind(value)),
                       pointer);
}

ordered_json from_number(const Number& number) {
    if (const auto* value = std::get_if<double>(&number)) {
        if (std::isnan(*value)) return "nan";
        if (std::isinf(*value)) return *value > 0 ? "inf" : "-inf";
    }
    return std::visit([](auto value) { return ordered_json(value); }, number);
}

Number JsonReader::number(std::string_view key, Number fallback) const {
    const auto* value = find(key);
    return value ? to_number(*value, at(key)) : fallback;
}

double JsonReader::real(std::string_view key, double fallback) const { return as_double(number(key, fallback)); }

std::uint64_t JsonReader::unsigned_integer(std::string_view key, std::uint64_t fallback, std::uint64_t most) const {
    const auto* value = find(key);
    if (!value) return fallback;
    const bool whole = value->is_number_unsigned() || (value->is_number_integer() && value->get<std::int64_t>() >= 0);
    if (!whole || value->get<std::uint64_t>() > most)
        refuse(key, most == UINT64_MAX ? std::string("must be a whole number that is not negative")
                                       : fmt::format("must be a whole number from 0 to {}", most));
    return value->get<std::uint64_t>();
}

std::vector<std::string> JsonReader::texts(std::string_view key) const {
    std::vector<std::string> result;
    const auto* value = find(key);
    if (!value) return result;
    if (!value->is_array()) refuse(key, fmt::format("must be a list of texts, but is {}", json_kind(*value)));
    for (const auto& each : *value) {
        if (!each.is_string()) refuse(key, fmt::format("must be a list of texts, but holds {}", json_kind(each)));
        result.push_back(each.get<std::string>());
    }
    return result;
}

Shape JsonReader::shape(std::string_view key) const {
    const auto* value = find(key);
    if (!value) refuse(key, "is missing: give the lengths of the axes, such as [1024, 1024]");
    if (!value->is_array())
        refuse(key, fmt::format("must be a list such as [1024, 1024], but is {}", json_kind(*value)));
    if (value->size() > 32) refuse(key, "has more than 32 axes");
    Shape shape;
    std::uint64_t elements = 1;
    for (const auto& each : *value) {
        const bool whole = each.is_number_unsigned() || (each.is_number_integer() && each.get<std::int64_t>() >= 0);
        if (!whole) refuse(key, "must hold whole numbers that are not negative");
        const auto length = each.get<std::uint64_t>();
        if (length != 0 && elements > (UINT64_MAX >> 8) / length) refuse(key, "has more elements than any memory");
        elements *= length;
        shape.push_back(length);
    }
    return shape;
}

JsonReader JsonReader::object(std::string_view key) const {
    const auto* value = find(key);
    static const ordered_json empty = ordered_json::object();
    return JsonReader(value ? *value : empty, at(key));
}

std::string JsonReader::unknown(std::initializer_list<std::string_view> known) const {
    return unknown(std::span(known.begin(), known.size()));
}

std::string JsonReader::unknown(std::span<const std::string_view> known) const {
    ordered_json rest = ordered_json::object();
    for (const auto& [key, value] : value_.items())
        if (std::find(known.begin(), known.end(), key) == known.end()) rest[key] = value;
    return rest.empty() ? std::string() : rest.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

std::vector<std::uint32_t> read_extents(const JsonReader& reader, std::string_view key) {
    const auto* value = reader.find(key);
    if (!value) return {1, 1, 1};
    std::vector<std::uint32_t> extents;
    const auto add = [&](const ordered_json& each) {
        const bool whole = each.is_number_unsigned() || (each.is_number_integer() && each.get<std::int64_t>() >= 0);
        if (!whole || each.get<std::uint64_t>() > UINT32_MAX)
            reader.refuse(key, "must hold whole numbers from 0 to 4294967295");
        extents.push_back(each.get<std::uint32_t>());
    };
    if (value->is_array()) {
        if (value->empty() || value->size() > 3) reader.refuse(key, "must have one to three numbers: x, y, z");
        for (const auto& each : *value)
            add(each);
    } else {
        add(*value);
    }
    extents.resize(3, 1);
    return extents;
}

ordered_json ordered(const nlohmann::json& document) {
    std::size_t keys = 0;
    count_keys(document, keys);
    if (keys > most_keys)
        throw SessionError(fmt::format("The session has more than {} keys; it is damaged.", most_keys));
    return ordered_json(document);
}

ordered_json parse_json(std::string_view text, std::string_view what) {
    if (text.size() > largest_text)
        throw SessionError(fmt::format("{} is {} MiB of text, more than the 64 MiB that are read. Put data into files.",
                                       what, text.size() >> 20));
    std::size_t keys = 0;
    const auto limit = [&](int depth, ordered_json::parse_event_t event, ordered_json&) {
        if (depth > deepest)
            throw SessionError(fmt::format("{} is nested deeper than {} levels; it is damaged.", what, deepest));
        if (event == ordered_json::parse_event_t::key && ++keys > most_keys)
            throw SessionError(fmt::format("{} has more than {} keys; it is damaged.", what, most_keys));
        return true;
    };
    try {
        return ordered_json::parse(text.begin(), text.end(), limit);
    } catch (const ordered_json::parse_error& error) {
        // `byte` counts from 1 and points past the last character that was read.
        const auto end = std::min(error.byte ? error.byte - 1 : 0, text.size());
        const auto before = text.substr(0, end);
        const int line = 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n'));
        const auto newline = before.rfind('\n');
        const int column = static_cast<int>(newline == std::string_view::npos ? end : end - newline - 1) + 1;
        std::string detail = error.what();
        if (const auto start = detail.find("syntax error"); start != std::string::npos) detail.erase(0, start);
        throw SessionError(fmt::format("{} is not valid JSON at line {}, column {}: {}.", what, line, column, detail),
                           {}, line, column);
    } catch (const ordered_json::exception& error) {
        throw SessionError(fmt::format("{} cannot be read: {}.", what, error.what()));
    }
}

} // namespace warplight::session
