// SPDX-License-Identifier: Apache-2.0
#include "export/scalar_text.hpp"

#include "export/language.hpp"
#include "session/session.hpp"
#include "warplight/half.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <fmt/format.h>
#include <limits>

namespace warplight::exporting {
namespace {

template <class T>
T value_of(std::span<const std::byte> bytes) {
    T value;
    std::memcpy(&value, bytes.data(), sizeof value);
    return value;
}

/// The shortest text that becomes the same number again.
template <class T>
std::string real_text(T value, Language language) {
    const bool single = std::is_same_v<T, float>;
    if (!std::isfinite(value)) {
        const char* sign = std::signbit(value) ? "-" : "";
        if (language == Language::python)
            return fmt::format("float(\"{}{}\")", sign, std::isnan(value) ? "nan" : "inf");
        return fmt::format("{}std::numeric_limits<{}>::{}()", sign, single ? "float" : "double",
                           std::isnan(value) ? "quiet_NaN" : "infinity");
    }
    std::string text = fmt::format("{}", value);
    if (text.find_first_of(".e") == std::string::npos) text += ".0";
    if (language == Language::cpp && single) text += "f";
    return text;
}

std::string signed_text(std::int64_t value, Language language) {
    // The least number has no literal of its own in C++.
    if (language == Language::cpp && value == std::numeric_limits<std::int64_t>::min()) return "INT64_MIN";
    if (language == Language::cpp && (value > INT32_MAX || value <= INT32_MIN))
        return fmt::format("INT64_C({})", value);
    return fmt::format("{}", value);
}

std::string unsigned_text(std::uint64_t value, Language language) {
    if (language == Language::cpp && value > INT32_MAX) return fmt::format("UINT64_C({})", value);
    return fmt::format("{}", value);
}

std::string number_text(std::string_view type, std::span<const std::byte> bytes, Language language) {
    if (type == "i8") return signed_text(value_of<std::int8_t>(bytes), language);
    if (type == "i16") return signed_text(value_of<std::int16_t>(bytes), language);
    if (type == "i32") return signed_text(value_of<std::int32_t>(bytes), language);
    if (type == "i64") return signed_text(value_of<std::int64_t>(bytes), language);
    if (type == "u8") return unsigned_text(value_of<std::uint8_t>(bytes), language);
    if (type == "u16") return unsigned_text(value_of<std::uint16_t>(bytes), language);
    if (type == "u32") return unsigned_text(value_of<std::uint32_t>(bytes), language);
    if (type == "u64") return unsigned_text(value_of<std::uint64_t>(bytes), language);
    if (type == "f32") return real_text(value_of<float>(bytes), language);
    if (type == "f64") return real_text(value_of<double>(bytes), language);
    if (type == "f16" && language == Language::python)
        return real_text(static_cast<float>(Half::from_bits(value_of<std::uint16_t>(bytes))), language);
    if (type == "bool") {
        const bool value = value_of<std::uint8_t>(bytes) != 0;
        return language == Language::python ? (value ? "True" : "False") : (value ? "true" : "false");
    }
    if (bytes.size() == 1) return fmt::format("0x{:02x}", value_of<std::uint8_t>(bytes));
    return fmt::format("0x{:04x}", value_of<std::uint16_t>(bytes));
}

std::string numpy_type(std::string_view component) {
    if (component == "bool") return "np.bool_";
    if (component == "bf16") return "np.uint16";
    if (component.starts_with("f8")) return "np.uint8";
    return "np." + session::dtype_of_type(component);
}

std::string cpp_type(std::string_view component) {
    if (component == "f32") return "float";
    if (component == "f64") return "double";
    if (component == "bool") return "bool";
    if (component == "f16" || component == "bf16") return "std::uint16_t";
    if (component.starts_with("f8")) return "std::uint8_t";
    return fmt::format("std::{}_t", session::dtype_of_type(component));
}

std::string numbers_text(const session::ScalarType& type, std::span<const std::byte> bytes, Language language) {
    const std::size_t size = bytes.size() / static_cast<std::size_t>(type.components);
    std::string list;
    for (std::size_t i = 0; i < static_cast<std::size_t>(type.components); ++i)
        list += (i ? ", " : "") + number_text(type.component, bytes.subspan(i * size, size), language);
    return list;
}

} // namespace

bool is_plain_number(std::string_view type) { return !session::dtype_of_type(type).empty() || type == "bool"; }

std::string python_scalar(std::string_view type, std::span<const std::byte> bytes) {
    if (type == session::struct_type) return python_array(type, bytes);
    const auto scalar = *session::scalar_type(type);
    if (scalar.component != type) return python_array(type, bytes);
    return fmt::format("{}({})", numpy_type(type), numbers_text(scalar, bytes, Language::python));
}

std::string python_array(std::string_view type, std::span<const std::byte> bytes) {
    if (type == session::struct_type) {
        std::string digits;
        for (const std::byte each : bytes)
            digits += fmt::format("{:02x}", static_cast<unsigned>(each));
        return fmt::format("np.frombuffer(bytes.fromhex(\"{}\"), np.uint8)", digits);
    }
    const auto scalar = *session::scalar_type(type);
    return fmt::format("np.array([{}], {})", numbers_text(scalar, bytes, Language::python),
                       numpy_type(scalar.component));
}

std::string cpp_scalar(std::string_view type, std::span<const std::byte> bytes, std::string_view name,
                       std::size_t alignment) {
    if (type == session::struct_type) {
        std::string list;
        for (const std::byte each : bytes)
            list += fmt::format("{}0x{:02x}", list.empty() ? "" : ", ", static_cast<unsigned>(each));
        return fmt::format("struct alignas({}) {{ std::uint8_t values[{}]; }} {}{{{{{}}}}};", alignment, bytes.size(),
                           name, list);
    }
    const auto scalar = *session::scalar_type(type);
    const auto numbers = numbers_text(scalar, bytes, Language::cpp);
    const auto component = cpp_type(scalar.component);
    if (scalar.component != type)
        return fmt::format("struct alignas({}) {{ {} values[{}]; }} {}{{{{{}}}}};", scalar.alignment, component,
                           scalar.components, name, numbers);
    if (is_plain_number(type) && type != "f16") return fmt::format("{} {} = {};", component, name, numbers);
    return fmt::format("struct {{ {} bits; }} {}{{{}}};", component, name, numbers);
}

std::string scalar_note(std::string_view type, std::string_view comment) {
    if (type == session::struct_type)
        return fmt::format("{}{} the bytes of a struct", comment == "#" ? "  " : " ", comment);
    const auto scalar = *session::scalar_type(type);
    const bool is_bits_in_cpp = type == "f16" && comment == "//";
    if (scalar.component == type && is_plain_number(type) && !is_bits_in_cpp) return {};
    return fmt::format("{}{} {}", comment == "#" ? "  " : " ", comment, type);
}

std::string quoted_text(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        if (c == '\n')
            result += "\\n";
        else if (static_cast<unsigned char>(c) >= 0x20)
            result += c;
    }
    return result + "\"";
}

std::string one_line(std::string_view text) {
    std::string line;
    for (const char c : text)
        line += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    // A line of C++ that ends so goes on in the next one, and these end a comment of Python.
    while (line.ends_with('\\') || line.ends_with(' '))
        line.pop_back();
    for (auto at = line.find("\"\"\""); at != std::string::npos; at = line.find("\"\"\""))
        line.replace(at, 3, "'''");
    return line;
}

} // namespace warplight::exporting
