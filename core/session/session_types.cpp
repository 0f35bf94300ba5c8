// SPDX-License-Identifier: Apache-2.0
// Names of types and devices, and numbers packed as a type.
#include "session/session.hpp"

#include "warplight/half.hpp"

#include <charconv>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <utility>

namespace warplight::session {
namespace {

struct TypeNames {
    std::string_view type, dtype;
    std::size_t size;
};
constexpr TypeNames types[] = {
    {"i8", "int8", 1},     {"i16", "int16", 2},   {"i32", "int32", 4},   {"i64", "int64", 8},
    {"u8", "uint8", 1},    {"u16", "uint16", 2},  {"u32", "uint32", 4},  {"u64", "uint64", 8},
    {"f16", "float16", 2}, {"f32", "float32", 4}, {"f64", "float64", 8},
};

const TypeNames* find_type(std::string_view name) {
    for (const auto& each : types)
        if (each.type == name || each.dtype == name) return &each;
    return nullptr;
}

template <class T>
std::vector<std::byte> bytes_of(T value) {
    std::vector<std::byte> bytes(sizeof value);
    std::memcpy(bytes.data(), &value, sizeof value);
    return bytes;
}

std::string text_of(const Number& number) {
    return std::visit([](auto value) { return fmt::format("{}", value); }, number);
}

template <class T>
std::vector<std::byte> pack_integer(std::string_view type, const Number& number) {
    const auto refuse = [&](std::string_view why) -> std::vector<std::byte> {
        throw SessionError(
            fmt::format("The value {} does not fit the type {}: {}. Choose a wider type or another value.",
                        text_of(number), type, why));
    };
    constexpr auto low = std::numeric_limits<T>::min();
    constexpr auto high = std::numeric_limits<T>::max();
    const auto range = fmt::format("it holds {} to {}", low, high);
    if (const auto* value = std::get_if<std::int64_t>(&number)) {
        if (!std::in_range<T>(*value)) return refuse(range);
        return bytes_of(static_cast<T>(*value));
    }
    if (const auto* value = std::get_if<std::uint64_t>(&number)) {
        if (!std::in_range<T>(*value)) return refuse(range);
        return bytes_of(static_cast<T>(*value));
    }
    const double value = std::get<double>(number);
    if (value != std::trunc(value) || !std::isfinite(value)) return refuse("it holds whole numbers only");
    // high + 1 is a power of two, so the double is exact.
    if (value < static_cast<double>(low) || value >= std::ldexp(1.0, std::numeric_limits<T>::digits))
        return refuse(range);
    return bytes_of(static_cast<T>(value));
}

} // namespace

bool Source::is_ptx() const {
    const std::string& file = path.empty() ? name : path;
    return file.size() >= 4 && file.compare(file.size() - 4, 4, ".ptx") == 0;
}

double as_double(const Number& number) {
    return std::visit([](auto value) { return static_cast<double>(value); }, number);
}

std::size_t size_of_type(std::string_view name) {
    const auto* type = find_type(name);
    return type ? type->size : 0;
}

std::string dtype_of_type(std::string_view name) {
    const auto* type = find_type(name);
    return type ? std::string(type->dtype) : std::string();
}

std::string type_of_dtype(std::string_view name) {
    const auto* type = find_type(name);
    return type ? std::string(type->type) : std::string();
}

std::vector<std::byte> pack_scalar(std::string_view name, const Number& value) {
    const auto* type = find_type(name);
    if (!type)
        throw SessionError(
            fmt::format("There is no scalar type \"{}\". Use one of i8, i16, i32, i64, u8, u16, u32, u64, "
                        "f16, f32, f64.",
                        name));
    if (type->type == "i8") return pack_integer<std::int8_t>(name, value);
    if (type->type == "i16") return pack_integer<std::int16_t>(name, value);
    if (type->type == "i32") return pack_integer<std::int32_t>(name, value);
    if (type->type == "i64") return pack_integer<std::int64_t>(name, value);
    if (type->type == "u8") return pack_integer<std::uint8_t>(name, value);
    if (type->type == "u16") return pack_integer<std::uint16_t>(name, value);
    if (type->type == "u32") return pack_integer<std::uint32_t>(name, value);
    if (type->type == "u64") return pack_integer<std::uint64_t>(name, value);
    if (type->type == "f16") return bytes_of(Half(static_cast<float>(as_double(value))).bits);
    if (type->type == "f32") return bytes_of(static_cast<float>(as_double(value)));
    return bytes_of(as_double(value));
}

DeviceChoice parse_device(std::string_view text) {
    const auto refuse = [&]() -> DeviceChoice {
        throw SessionError(fmt::format("\"{}\" is not a device. Use auto, cuda, cuda:N, software or software:N.", text),
                           "/device");
    };
    const auto colon = text.find(':');
    DeviceChoice choice{std::string(text.substr(0, colon)), 0};
    if (choice.driver != "auto" && choice.driver != "cuda" && choice.driver != "software") return refuse();
    if (colon == std::string_view::npos) return choice;
    const auto number = text.substr(colon + 1);
    const auto [end, problem] = std::from_chars(number.data(), number.data() + number.size(), choice.ordinal);
    if (number.empty() || problem != std::errc() || end != number.data() + number.size() || choice.ordinal < 0 ||
        choice.driver == "auto")
        return refuse();
    return choice;
}

} // namespace warplight::session
