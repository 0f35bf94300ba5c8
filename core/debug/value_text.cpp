// SPDX-License-Identifier: Apache-2.0
#include "number.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace warplight::debug {

std::optional<double> number_of(const Value& value, const Surroundings& where) {
    const Type& type = type_of(value, where);
    if (type.kind == Type::Kind::structure || type.kind == Type::Kind::array || type.kind == Type::Kind::none)
        return std::nullopt;
    return number(value, where).as_real();
}

namespace {

constexpr std::size_t kMostShown = 16; ///< elements, and members

std::string text_at(const Value& value, const Surroundings& where, unsigned depth);

std::string text_of_parts(const Value& value, const Type& type, const Surroundings& where, unsigned depth) {
    std::string text = "{";
    const auto add = [&](const std::string& name, std::uint64_t offset, TypeId of) {
        if (text.size() > 1) text += ", ";
        if (!name.empty()) text += name + " = ";
        text += text_at(part_of(value, offset, of, where), where, depth + 1);
    };
    if (type.kind == Type::Kind::array) {
        const std::uint64_t each = where.info().size_of(type.of);
        const std::uint64_t shown = std::min<std::uint64_t>(type.count, kMostShown);
        for (std::uint64_t k = 0; k < shown; ++k)
            add({}, k * each, type.of);
        if (shown < type.count) text += ", …";
    } else {
        for (std::size_t k = 0; k < type.members.size() && k < kMostShown; ++k)
            add(type.members[k].name, type.members[k].offset, type.members[k].type);
    }
    return text + "}";
}

std::string text_of_character(std::uint64_t bits) {
    const auto code = static_cast<std::int64_t>(bits);
    if (code < 32 || code > 126) return fmt::format("{}", code);
    return fmt::format("{} '{}'", code, static_cast<char>(code));
}

std::string text_at(const Value& value, const Surroundings& where, unsigned depth) {
    const Type type = type_of(value, where);
    if (type.kind == Type::Kind::structure || type.kind == Type::Kind::array)
        return depth > 3 ? "{…}" : text_of_parts(value, type, where, depth);
    if (type.kind == Type::Kind::none) return "void";
    const Number n = number(value, where);
    switch (type.kind) {
    case Type::Kind::boolean: return n.is_true() ? "true" : "false";
    case Type::Kind::character: return text_of_character(n.bits);
    case Type::Kind::pointer: return fmt::format("{:#x}", n.bits);
    case Type::Kind::floating:
        return type.size == 4 ? fmt::format("{}", static_cast<float>(n.real)) : fmt::format("{}", n.real);
    case Type::Kind::enumeration:
        for (const Type::Enumerator& e : type.enumerators)
            if (e.value == static_cast<std::int64_t>(n.bits)) return e.name;
        break;
    default: break;
    }
    return n.of == Number::Of::integer ? fmt::format("{}", static_cast<std::int64_t>(n.bits))
                                       : fmt::format("{}", n.bits);
}

} // namespace

std::string text_of(const Value& value, const Surroundings& where) { return text_at(value, where, 0); }

} // namespace warplight::debug
