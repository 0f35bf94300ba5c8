// SPDX-License-Identifier: Apache-2.0
#include "warplight/error.hpp"
#include "warplight/ndarray.hpp"

#include <bit>
#include <charconv>
#include <utility>

namespace warplight {

using driver::throw_logic_error;

namespace {

struct Named {
    std::string_view name, bits;
    Kind kind;
    std::size_t itemsize;
};
constexpr Named kTypes[] = {
    {"bool", "b8", Kind::boolean, 1},
    {"int8", "i8", Kind::signed_integer, 1},
    {"int16", "i16", Kind::signed_integer, 2},
    {"int32", "i32", Kind::signed_integer, 4},
    {"int64", "i64", Kind::signed_integer, 8},
    {"uint8", "u8", Kind::unsigned_integer, 1},
    {"uint16", "u16", Kind::unsigned_integer, 2},
    {"uint32", "u32", Kind::unsigned_integer, 4},
    {"uint64", "u64", Kind::unsigned_integer, 8},
    {"float16", "f16", Kind::real, 2},
    {"float32", "f32", Kind::real, 4},
    {"float64", "f64", Kind::real, 8},
    {"complex64", "c64", Kind::complex, 8},
    {"complex128", "c128", Kind::complex, 16},
};
constexpr std::size_t kLargestItem = std::size_t{1} << 31;

bool parse_size(std::string_view digits, std::size_t& size) {
    const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), size);
    return !digits.empty() && result.ec == std::errc() && result.ptr == digits.data() + digits.size() && size > 0 &&
           size <= kLargestItem;
}

} // namespace

DType DType::opaque(std::size_t itemsize, std::string descr) {
    if (itemsize == 0 || itemsize > kLargestItem)
        throw_logic_error("an element cannot have " + std::to_string(itemsize) + " bytes");
    DType type(Kind::opaque, itemsize);
    type.descr_ = std::move(descr);
    return type;
}

const std::vector<DType>& DType::all() {
    static const std::vector<DType> types = [] {
        std::vector<DType> list;
        for (const Named& named : kTypes)
            list.push_back(DType(named.kind, named.itemsize));
        return list;
    }();
    return types;
}

DType DType::from_name(std::string_view name) {
    for (const Named& named : kTypes)
        if (name == named.name || name == named.bits) return {named.kind, named.itemsize};
    if (name == "half") return float16();
    if (name == "float") return float32();
    if (name == "double") return float64();
    std::size_t size = 0;
    if (name.starts_with('V') && parse_size(name.substr(1), size)) return opaque(size);
    std::string known;
    for (const Named& named : kTypes)
        known += (known.empty() ? "" : ", ") + std::string(named.name);
    throw_logic_error("there is no element type '" + std::string(name) + "'", {}, "The types are " + known);
}

DType DType::from_typestr(std::string_view typestr, bool* big_endian) {
    const auto bad = [&](const char* why) {
        throw_logic_error("'" + std::string(typestr) + "' is no element type that can be used: " + why);
    };
    if (typestr.size() < 3) bad("it is too short");
    const char order = typestr[0], letter = typestr[1];
    if (order != '<' && order != '>' && order != '|' && order != '=') bad("it does not start with a byte order");
    std::size_t size = 0;
    if (!parse_size(typestr.substr(2), size)) bad("its size is not a number of bytes");
    if (letter == 'O') bad("it holds Python objects");
    if (letter == 'V' || letter == 'S') { // raw bytes and byte strings
        if (big_endian) *big_endian = false;
        return opaque(size, letter == 'V' ? std::string() : std::string(typestr));
    }
    if (letter == 'U' || letter == 'M' || letter == 'm') bad("texts and dates have no counterpart on a device");
    for (const Named& named : kTypes) {
        if (static_cast<char>(named.kind) != letter || named.itemsize != size) continue;
        const bool native_big = std::endian::native == std::endian::big;
        const bool big = size > 1 && (order == '>' || ((order == '=' || order == '|') && native_big));
        if (big_endian)
            *big_endian = big;
        else if (big != (size > 1 && native_big))
            bad("the byte order is not the host's");
        return {named.kind, named.itemsize};
    }
    bad("no such type");
    return {};
}

std::string DType::name() const {
    for (const Named& named : kTypes)
        if (named.kind == kind_ && named.itemsize == itemsize_) return std::string(named.name);
    return "V" + std::to_string(itemsize_);
}

std::string DType::typestr() const {
    const char order = itemsize_ == 1 || kind_ == Kind::opaque      ? '|'
                       : std::endian::native == std::endian::little ? '<'
                                                                    : '>';
    return order + std::string(1, static_cast<char>(kind_)) + std::to_string(itemsize_);
}

} // namespace warplight
