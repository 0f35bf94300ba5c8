// SPDX-License-Identifier: Apache-2.0
#include "number.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace warplight::debug {
namespace {

template <class T>
T load(const std::vector<std::byte>& bytes) {
    T value{};
    std::memcpy(&value, bytes.data(), std::min(sizeof value, bytes.size()));
    return value;
}

TypeId base_type(const char* name, const Surroundings& where) { return *where.info().find_type(name); }

} // namespace

const Type& type_of(const Value& v, const Surroundings& where) {
    return where.info().types.at(where.info().resolved(v.type));
}

Number number(const Value& v, const Surroundings& where) {
    const Type& type = type_of(v, where);
    Number n;
    n.is_long = type.size > 4;
    if (type.kind == Type::Kind::array) { // decays to its address
        if (!v.address) throw ExpressionError("This array has no address.");
        return {Number::Of::unsigned_integer, v.address, 0, true};
    }
    if (type.kind == Type::Kind::structure || type.kind == Type::Kind::none)
        throw ExpressionError(fmt::format("A {} is no number.", where.info().name_of(v.type)));
    const std::vector<std::byte> bytes = bytes_of(v, where);
    if (type.kind == Type::Kind::floating) {
        n.of = Number::Of::real;
        n.real = type.size == 4 ? static_cast<double>(load<float>(bytes)) : load<double>(bytes);
        return n;
    }
    n.bits = load<std::uint64_t>(bytes);
    const bool is_signed =
        type.kind == Type::Kind::integer || type.kind == Type::Kind::character || type.kind == Type::Kind::enumeration;
    if (is_signed && type.size && type.size < 8) {
        const unsigned shift = 64 - 8 * static_cast<unsigned>(type.size);
        n.bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(n.bits << shift) >> shift);
    }
    // Smaller types become int.
    n.of = is_signed || type.size < 4 ? Number::Of::integer : Number::Of::unsigned_integer;
    return n;
}

Value value_of(const Number& n, const Surroundings& where) {
    if (n.of == Number::Of::real) return {base_type("double", where), 0, stored(n.real)};
    const bool is_signed = n.of == Number::Of::integer;
    if (n.is_long) return {base_type(is_signed ? "long long" : "unsigned long long", where), 0, stored(n.bits)};
    return {base_type(is_signed ? "int" : "unsigned int", where), 0, stored(static_cast<std::uint32_t>(n.bits))};
}

Value truth(bool is_true, const Surroundings& where) {
    return {base_type("bool", where), 0, {is_true ? std::byte{1} : std::byte{0}}};
}

std::vector<std::byte> bytes_of(const Value& value, const Surroundings& where, std::size_t most) {
    const std::uint64_t size = where.info().size_of(value.type);
    if (size > most) throw ExpressionError(fmt::format("This has {} bytes, which is too much to show.", size));
    if (!value.address) {
        std::vector<std::byte> bytes = value.bytes;
        bytes.resize(size);
        return bytes;
    }
    std::vector<std::byte> bytes(size);
    if (!where.read(value.address, bytes.data(), bytes.size()))
        throw ExpressionError(fmt::format("There is no memory of kernels at {:#x}.", value.address));
    return bytes;
}

Value part_of(const Value& value, std::uint64_t offset, TypeId type, const Surroundings& where) {
    if (value.address) return {type, value.address + offset, {}};
    const std::uint64_t size = where.info().size_of(type);
    if (offset > value.bytes.size() || size > value.bytes.size() - offset)
        throw ExpressionError("There is no such part.");
    const auto begin = value.bytes.begin() + static_cast<std::ptrdiff_t>(offset);
    return {type, 0, {begin, begin + static_cast<std::ptrdiff_t>(size)}};
}

} // namespace warplight::debug
