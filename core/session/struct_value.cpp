// SPDX-License-Identifier: Apache-2.0
#include "session/struct_value.hpp"

#include "session/json_reader.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <span>

namespace warplight::session {
namespace {

using debug::Layout;
using Kind = Layout::Kind;

int digit_of(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

std::vector<std::byte> bytes_of_digits(std::string_view text, const std::string& pointer) {
    const std::string_view digits = text.starts_with("0x") ? text.substr(2) : std::string_view();
    if (digits.empty() || digits.size() % 2 != 0 || std::ranges::any_of(digits, [](char c) { return digit_of(c) < 0; }))
        throw SessionError("Bytes are written as 0x and two hexadecimal digits for each, the first byte first.",
                           pointer);
    std::vector<std::byte> bytes;
    bytes.reserve(digits.size() / 2);
    for (std::size_t k = 0; k < digits.size(); k += 2)
        bytes.push_back(static_cast<std::byte>(digit_of(digits[k]) * 16 + digit_of(digits[k + 1])));
    return bytes;
}

/// Puts the value of a type into its bytes, which are 0 before.
class Packer {
public:
    void pack(const Layout& layout, const ordered_json& value, std::span<std::byte> to) {
        if (!layout.extents.empty())
            pack_array(layout, value, to);
        else
            pack_one(layout, value, to);
    }

private:
    [[noreturn]] void refuse(const std::string& message) const {
        throw SessionError(path_.empty() ? message : fmt::format("{}: {}", shown_path(), message), path_);
    }
    /// "inner.x" of "/inner/x", "v[2]" of "/v/2".
    [[nodiscard]] std::string shown_path() const {
        std::string shown;
        for (std::size_t at = 1; at < path_.size();) {
            const std::size_t end = std::min(path_.find('/', at), path_.size());
            const std::string part = path_.substr(at, end - at);
            const bool is_index = !part.empty() && part[0] >= '0' && part[0] <= '9';
            shown += is_index ? fmt::format("[{}]", part) : (shown.empty() ? "" : ".") + part;
            at = end + 1;
        }
        return shown;
    }

    template <class Step>
    void at(const std::string& part, const Step& step) {
        const std::size_t before = path_.size();
        path_ += "/" + part;
        step();
        path_.resize(before);
    }

    void pack_array(const Layout& array, const ordered_json& value, std::span<std::byte> to) {
        const auto length = static_cast<std::size_t>(array.extents.front());
        Layout element = array;
        element.extents.erase(element.extents.begin());
        const auto size = static_cast<std::size_t>(element.bytes());
        const auto pack_at = [&](std::size_t k, const ordered_json& each) {
            at(std::to_string(k), [&] { pack(element, each, to.subspan(k * size, size)); });
        };
        if (value.is_string() && array.extents.size() == 1 && array.size == 1 &&
            array.type.find("char") != std::string::npos) {
            const auto text = value.get<std::string>();
            if (text.size() > length)
                refuse(fmt::format("the text has {} bytes, but {}[{}] has room for {}.", text.size(), array.type,
                                   length, length));
            std::memcpy(to.data(), text.data(), text.size());
            return;
        }
        if (value.is_object() && array.extents.size() == 1 && length <= 4 && is_vector(array)) {
            constexpr std::string_view names = "xyzw";
            for (const auto& [key, each] : value.items()) {
                const std::size_t k = key.size() == 1 ? names.find(key) : std::string_view::npos;
                if (k >= length) refuse(fmt::format("{} has no field \"{}\".", array.type, key));
                pack_at(k, each);
            }
            return;
        }
        if (!value.is_array())
            refuse(fmt::format("{} has {} elements: write them as a list, such as [1, 2, …].", text_of(array), length));
        if (value.size() > length)
            refuse(fmt::format("{} has {} elements, but the list has {}.", text_of(array), length, value.size()));
        if (value.size() < length) check_missing(element);
        for (std::size_t k = 0; k < value.size(); ++k)
            pack_at(k, value[k]);
    }

    static bool is_vector(const Layout& layout) {
        const auto type = scalar_type(layout.type);
        return type && type->components > 1;
    }
    static std::string text_of(const Layout& layout) {
        return is_vector(layout) || layout.type.ends_with(']')
                   ? layout.type
                   : fmt::format("{}[{}]", layout.type, layout.extents.front());
    }

    void pack_one(const Layout& layout, const ordered_json& value, std::span<std::byte> to) {
        switch (layout.kind) {
        case Kind::number: pack_number(layout, value, to); return;
        case Kind::bits: pack_bits(layout, value, to); return;
        case Kind::structure: pack_fields(layout, value, to); return;
        case Kind::alternatives: pack_alternative(layout, value, to); return;
        case Kind::pointer:
            if (!value.is_null()) refuse(refuse_pointer(layout, path_.empty() ? layout.name : shown_path()));
            return;
        case Kind::bytes: pack_bytes(layout, value, to); return;
        }
    }

    [[nodiscard]] Number number_of(const Layout& layout, const ordered_json& value) const {
        if (value.is_boolean()) return std::int64_t{value.get<bool>()};
        if (value.is_string())
            for (const auto& each : layout.enumerators)
                if (value.get<std::string>() == each.name) return each.value;
        const bool is_real_word = value.is_string() && (layout.number[0] == 'f' || layout.number == "bf16");
        if (!value.is_number() && !is_real_word) {
            std::vector<std::string_view> names;
            names.reserve(layout.enumerators.size());
            for (const auto& each : layout.enumerators)
                names.emplace_back(each.name);
            refuse(fmt::format("{} is a number, but the value is {}.{}", layout.type, json_kind(value),
                               names.empty() ? "" : fmt::format(" Or use one of {}.", fmt::join(names, ", "))));
        }
        return to_number(value, path_);
    }

    void pack_number(const Layout& layout, const ordered_json& value, std::span<std::byte> to) const {
        std::vector<std::byte> bytes;
        try {
            bytes = pack_scalar(layout.number, number_of(layout, value));
        } catch (const SessionError& error) {
            if (error.pointer == path_ && !path_.empty()) throw;
            refuse(error.what());
        }
        std::memcpy(to.data(), bytes.data(), std::min(bytes.size(), to.size()));
    }

    /// Bits of a number that other fields share.
    void pack_bits(const Layout& layout, const ordered_json& value, std::span<std::byte> to) const {
        const Number number = number_of(layout, value);
        const bool is_signed = layout.number[0] == 'i';
        const std::int64_t least = is_signed ? -(std::int64_t{1} << (layout.bit_count - 1)) : 0;
        const std::uint64_t all_ones = ~std::uint64_t{0} >> (64 - layout.bit_count);
        const std::uint64_t most = is_signed ? all_ones >> 1 : all_ones;
        const auto* whole = std::get_if<std::int64_t>(&number);
        const auto* large = std::get_if<std::uint64_t>(&number);
        const bool fits = (whole && *whole >= least && (*whole < 0 || static_cast<std::uint64_t>(*whole) <= most)) ||
                          (large && *large <= most);
        if (!fits)
            refuse(fmt::format("a field of {} bit{} holds whole numbers from {} to {}.", layout.bit_count,
                               layout.bit_count == 1 ? "" : "s", least, most));
        const std::uint64_t bits = (whole ? static_cast<std::uint64_t>(*whole) : *large) & all_ones;
        std::uint64_t unit = 0;
        std::memcpy(&unit, to.data(), to.size());
        unit |= bits << layout.first_bit;
        std::memcpy(to.data(), &unit, to.size());
    }

    void check_missing(const Layout& layout) const {
        if (layout.kind == Kind::pointer) refuse(refuse_pointer(layout, layout.name));
        if (const std::string inner = path_to_pointer(layout); !inner.empty())
            refuse(refuse_pointer(layout, layout.name.empty() ? inner : fmt::format("{}.{}", layout.name, inner)));
    }

    void pack_fields(const Layout& layout, const ordered_json& value, std::span<std::byte> to) {
        if (!value.is_object())
            refuse(fmt::format("{} has fields: write them as an object, such as {{\"{}\": 1}}.", layout.type,
                               layout.fields.empty() ? "x" : layout.fields.front().name));
        for (const auto& [key, each] : value.items()) {
            const Layout* field = layout.find(key);
            if (!field) refuse_field(layout, key);
            at(key, [&, &each = each] {
                pack(*field, each,
                     to.subspan(static_cast<std::size_t>(field->offset), static_cast<std::size_t>(field->bytes())));
            });
        }
        for (const Layout& field : layout.fields)
            if (!value.contains(field.name)) check_missing(field);
    }

    [[noreturn]] void refuse_field(const Layout& layout, const std::string& key) const {
        refuse(fmt::format("{} has no field \"{}\". It has: {}.", layout.type, key, describe(layout)));
    }

    void pack_alternative(const Layout& layout, const ordered_json& value, std::span<std::byte> to) {
        if (value.is_string()) {
            pack_bytes(layout, value, to);
            return;
        }
        if (value.is_object() && value.empty()) return; // as if it were missing
        if (!value.is_object() || value.size() != 1)
            refuse(fmt::format("{} is a union: give exactly one of its members: {}.", layout.type, describe(layout)));
        const std::string& key = value.begin().key();
        const Layout* field = layout.find(key);
        if (!field) refuse_field(layout, key);
        at(key, [&] { pack(*field, value.front(), to.first(static_cast<std::size_t>(field->bytes()))); });
    }

    void pack_bytes(const Layout& layout, const ordered_json& value, std::span<std::byte> to) const {
        const auto bytes = bytes_of_digits(value.is_string() ? value.get<std::string>() : "", path_);
        if (bytes.size() != to.size())
            refuse(fmt::format("{} has {} bytes, but the value has {}.", layout.type, to.size(), bytes.size()));
        std::memcpy(to.data(), bytes.data(), bytes.size());
    }

    std::string path_; ///< JSON pointer to what is packed
};

} // namespace

std::string describe(const Layout& layout) {
    constexpr std::size_t most = 12;
    std::string names;
    for (std::size_t k = 0; k < std::min(layout.fields.size(), most); ++k)
        names += (k ? ", " : "") + layout.fields[k].name;
    if (layout.fields.size() > most) names += ", …";
    return names.empty() ? "no fields" : names;
}

std::string path_to_pointer(const Layout& layout) {
    // Another member of a union may be given in a pointer's place.
    if (layout.kind != Kind::structure) return {};
    for (const Layout& field : layout.fields) {
        if (field.kind == Kind::pointer) return field.name;
        if (const std::string inner = path_to_pointer(field); !inner.empty())
            return fmt::format("{}.{}", field.name, inner);
    }
    return {};
}

std::string refuse_pointer(const Layout& layout, const std::string& path) {
    return fmt::format(
        "The field {} {}is an address in the device's memory, which is not known before the run. Give the "
        "kernel that array as a parameter of its own, or give the field the value null.",
        path, layout.kind == Kind::pointer ? fmt::format("({}) ", layout.type) : "");
}

std::optional<std::vector<std::byte>> bytes_of_value(const StructValue& value) {
    const auto json = parse_json(value.json, "The value");
    if (!json.is_string()) return std::nullopt;
    return bytes_of_digits(json.get<std::string>(), {});
}

std::vector<std::byte> pack_struct(const Layout& layout, const StructValue& value) {
    const auto json = parse_json(value.json, "The value");
    std::vector<std::byte> bytes(static_cast<std::size_t>(layout.bytes()));
    if (json.is_string()) {
        auto given = bytes_of_digits(json.get<std::string>(), {});
        if (given.size() != bytes.size())
            throw SessionError(
                fmt::format("{} has {} bytes, but the value has {}.", layout.type, bytes.size(), given.size()));
        return given;
    }
    Packer().pack(layout, json, bytes);
    return bytes;
}

StructValue struct_value(std::string_view text) {
    const auto json = parse_json(text, "The value");
    if (json.is_string())
        (void)bytes_of_digits(json.get<std::string>(), {});
    else if (!json.is_object())
        throw SessionError(
            fmt::format("The value of a struct is an object with its fields, such as {{\"x\": 1}}, or its "
                        "bytes as a text \"0x…\", but is {}.",
                        json_kind(json)));
    return {json.dump(-1, ' ', false, ordered_json::error_handler_t::replace)};
}

} // namespace warplight::session
