// SPDX-License-Identifier: Apache-2.0
// Names of types and devices, and numbers packed as a type.
#include "session/session.hpp"

#include "warplight/half.hpp"

#include <algorithm>
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

/// Of scalars only: no array of a session has them.
constexpr TypeNames scalars_only[] = {
    {"bool", "bool", 1},
    {"bf16", "bfloat16", 2},
    {"f8e4m3", "float8_e4m3", 1},
    {"f8e5m2", "float8_e5m2", 1},
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

/// CUDA's names: float1 to float4. A `long` has the size of the host's.
constexpr TypeNames vector_bases[] = {
    {"i8", "char", 1},
    {"u8", "uchar", 1},
    {"i16", "short", 2},
    {"u16", "ushort", 2},
    {"i32", "int", 4},
    {"u32", "uint", 4},
    {"i64", "longlong", 8},
    {"u64", "ulonglong", 8},
    {"f32", "float", 4},
    {"f64", "double", 8},
    {sizeof(long) == 8 ? "i64" : "i32", "long", sizeof(long)},
    {sizeof(long) == 8 ? "u64" : "u32", "ulong", sizeof(long)},
};

ScalarType vector_of(std::string_view component, int components, std::size_t size) {
    ScalarType type{std::string(component), components, size * static_cast<std::size_t>(components), size};
    // One of two or four is aligned to its size, up to 16. One of three is aligned as its components.
    if (components != 3) type.alignment = std::min<std::size_t>(type.size, 16);
    return type;
}

std::optional<ScalarType> vector_type(std::string_view name) {
    if (name == "dim3") return vector_of("u32", 3, 4);
    if (name == "half2" || name == "__half2") return vector_of("f16", 2, 2);
    if (name == "nv_bfloat162" || name == "__nv_bfloat162") return vector_of("bf16", 2, 2);
    if (name.size() < 2 || name.back() < '1' || name.back() > '4') return std::nullopt;
    for (const auto& base : vector_bases)
        if (base.dtype == name.substr(0, name.size() - 1)) return vector_of(base.type, name.back() - '0', base.size);
    return std::nullopt;
}

/// A floating-point format below 32 bits.
struct SmallFloat {
    int mantissa;
    int bias;
    std::uint16_t largest;   ///< code of the largest number
    std::uint16_t too_large; ///< code of what is larger
    std::uint16_t nan;
    std::uint16_t sign;
};
constexpr SmallFloat bfloat16{7, 127, 0x7f7f, 0x7f80, 0x7fff, 0x8000};
// As CUDA's types are made of a number: what is too large becomes the largest one.
constexpr SmallFloat float8_e4m3{3, 7, 0x7e, 0x7e, 0x7f, 0x80};
constexpr SmallFloat float8_e5m2{2, 15, 0x7b, 0x7b, 0x7f, 0x80};

/// Rounded to the nearest one, ties to even.
std::uint16_t encode(const SmallFloat& format, double value) {
    if (std::isnan(value)) return format.nan;
    const std::uint16_t sign = std::signbit(value) ? format.sign : std::uint16_t{0};
    const double size = std::abs(value);
    if (size == 0) return sign;
    if (std::isinf(size)) return sign | format.too_large;
    int exponent = 0;
    std::frexp(size, &exponent);
    exponent = std::max(exponent - 1, 1 - format.bias); // subnormal numbers have the least one
    if (exponent > 2 * format.bias + 1) return sign | format.too_large;
    const auto steps = static_cast<std::int64_t>(std::nearbyint(std::ldexp(size, format.mantissa - exponent)));
    // A carry goes on into the exponent.
    const std::int64_t code = (static_cast<std::int64_t>(exponent + format.bias - 1) << format.mantissa) + steps;
    return sign | (code > format.largest ? format.too_large : static_cast<std::uint16_t>(code));
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
    if (const auto* type = find_type(name)) return type->size;
    const auto type = scalar_type(name);
    return type ? type->size : 0;
}

std::optional<ScalarType> scalar_type(std::string_view name) {
    for (const auto& each : types)
        if (each.type == name) return ScalarType{std::string(name), 1, each.size, each.size};
    for (const auto& each : scalars_only)
        if (each.type == name) return ScalarType{std::string(name), 1, each.size, each.size};
    return vector_type(name);
}

const std::vector<std::string>& names_of_scalar_types() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> list;
        for (const auto& each : types)
            list.emplace_back(each.type);
        for (const auto& each : scalars_only)
            list.emplace_back(each.type);
        for (const char* base : {"float", "int", "uint", "double", "uchar", "char", "ushort", "short"})
            for (const char* count : {"2", "3", "4"})
                list.push_back(std::string(base) + count);
        for (const char* each : {"longlong2", "ulonglong2", "half2", "nv_bfloat162", "dim3"})
            list.emplace_back(each);
        return list;
    }();
    return names;
}

std::string scalar_type_for(std::string_view dtype, int components) {
    if (components == 1) {
        if (const auto* type = find_type(dtype)) return std::string(type->type);
        for (const auto& each : scalars_only)
            if (each.dtype == dtype) return std::string(each.type);
        return {};
    }
    const std::string component = scalar_type_for(dtype, 1);
    for (const std::string& name : names_of_scalar_types())
        if (const auto type = scalar_type(name); type->components == components && type->component == component)
            return name;
    return {};
}

std::string dtype_of_type(std::string_view name) {
    const auto* type = find_type(name);
    return type ? std::string(type->dtype) : std::string();
}

std::string type_of_dtype(std::string_view name) {
    const auto* type = find_type(name);
    return type ? std::string(type->type) : std::string();
}

bool may_be_enumerator(std::string_view type, std::string_view text) {
    const auto scalar = scalar_type(type);
    if (!scalar || scalar->components != 1 || (scalar->component[0] != 'i' && scalar->component[0] != 'u'))
        return false;
    const auto is_letter = [](char c) { return c == '_' || c == ':' || ((c | 32) >= 'a' && (c | 32) <= 'z'); };
    return !text.empty() && is_letter(text.front()) && text != "nan" && text != "inf" &&
           std::ranges::all_of(text, [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

std::vector<std::byte> pack_scalar(std::string_view name, const Number& value) {
    const auto* type = find_type(name);
    if (name == "bool") {
        if (as_double(value) != 0 && as_double(value) != 1)
            throw SessionError(fmt::format("The value {} is no bool: it is true or false.", text_of(value)));
        return bytes_of(static_cast<std::uint8_t>(as_double(value)));
    }
    if (name == "bf16") return bytes_of(encode(bfloat16, as_double(value)));
    if (name == "f8e4m3") return bytes_of(static_cast<std::uint8_t>(encode(float8_e4m3, as_double(value))));
    if (name == "f8e5m2") return bytes_of(static_cast<std::uint8_t>(encode(float8_e5m2, as_double(value))));
    if (!type) {
        if (const auto vector = scalar_type(name))
            throw SessionError(fmt::format("The value of {} is one number, but it has {}. Write them as [x, y, …].",
                                           name, vector->components));
        throw SessionError(fmt::format("There is no scalar type \"{}\". Use one of i8, i16, i32, i64, u8, u16, u32, "
                                       "u64, f16, f32, f64, bool, bf16, f8e4m3, f8e5m2, or a vector type such as "
                                       "float4.",
                                       name));
    }
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

std::vector<std::byte> pack_scalar(std::string_view name, const Components& values) {
    const auto type = scalar_type(name);
    if (!type) return pack_scalar(name, Number(std::int64_t{0})); // says which types there are
    if (type->component == name)
        throw SessionError(fmt::format("The value of {} is one number, and no list of them.", name));
    if (static_cast<std::size_t>(type->components) != values.size())
        throw SessionError(fmt::format("The value of {} has {} numbers, but there {} {}.", name, type->components,
                                       values.size() == 1 ? "is" : "are", values.size()));
    std::vector<std::byte> bytes;
    for (const Number& value : values) {
        const auto component = pack_scalar(type->component, value);
        bytes.insert(bytes.end(), component.begin(), component.end());
    }
    return bytes;
}

DeviceChoice parse_device(std::string_view text) {
    const auto refuse = [&]() -> DeviceChoice {
        throw SessionError(fmt::format("\"{}\" is not a device. Use auto, cuda, cuda:N, software or software:N.", text),
                           "/device");
    };
    if (text.starts_with("ssh:"))
        throw SessionError(
            fmt::format("\"{}\" names another machine, which a session cannot do: its author would choose "
                        "where it runs. Choose the machine in the window, or with --device.",
                        text),
            "/device");
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
