// SPDX-License-Identifier: Apache-2.0
#include "compiler/types.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace warplight::compiler {
namespace {

struct Named {
    std::string_view name;
    std::string_view dtype;
    int components;
    std::size_t size; ///< of one component
};

constexpr Named kNamed[] = {
    {"bool", "bool", 1, 1},
    {"int8_t", "int8", 1, 1},
    {"uint8_t", "uint8", 1, 1},
    {"uchar", "uint8", 1, 1},
    {"int16_t", "int16", 1, 2},
    {"uint16_t", "uint16", 1, 2},
    {"ushort", "uint16", 1, 2},
    {"int32_t", "int32", 1, 4},
    {"uint32_t", "uint32", 1, 4},
    {"uint", "uint32", 1, 4},
    {"int64_t", "int64", 1, 8},
    {"uint64_t", "uint64", 1, 8},
    {"size_t", "uint64", 1, 8},
    {"ptrdiff_t", "int64", 1, 8},
    {"intptr_t", "int64", 1, 8},
    {"uintptr_t", "uint64", 1, 8},
    {"half", "float16", 1, 2},
    {"__half", "float16", 1, 2},
    {"half2", "float16", 2, 2},
    {"__half2", "float16", 2, 2},
    {"nv_half", "float16", 1, 2},
    {"nv_bfloat16", "bfloat16", 1, 2},
    {"__nv_bfloat16", "bfloat16", 1, 2},
    {"nv_bfloat162", "bfloat16", 2, 2},
    {"__nv_bfloat162", "bfloat16", 2, 2},
    {"__nv_fp8_e4m3", "float8_e4m3", 1, 1},
    {"__nv_fp8_e5m2", "float8_e5m2", 1, 1},
    {"dim3", "uint32", 3, 4},
    {"cuComplex", "complex64", 1, 8},
    {"cuFloatComplex", "complex64", 1, 8},
    {"cuDoubleComplex", "complex128", 1, 16},
    {"cudaTextureObject_t", "", 1, 8},
    {"cudaSurfaceObject_t", "", 1, 8},
};

struct Base {
    std::string_view name;
    std::string_view dtype;
    std::size_t size;
};
// Base names of the vector types: float4, uchar2.
constexpr Base kVectorBases[] = {{"char", "int8", 1},      {"uchar", "uint8", 1},      {"short", "int16", 2},
                                 {"ushort", "uint16", 2},  {"int", "int32", 4},        {"uint", "uint32", 4},
                                 {"longlong", "int64", 8}, {"ulonglong", "uint64", 8}, {"float", "float32", 4},
                                 {"double", "float64", 8}};

ElementType make(std::string_view dtype, int components, std::size_t component_size) {
    ElementType type{std::string(dtype), components, component_size * static_cast<std::size_t>(components), 0, {}};
    // A vector type is aligned to its size where that is a power of two up to 16. A triple is aligned as one component.
    type.alignment = components == 3 ? component_size : std::min<std::size_t>(type.size, 16);
    return type;
}

ElementType from_name(std::string_view name) {
    for (const Named& entry : kNamed)
        if (name == entry.name) {
            ElementType type = make(entry.dtype, entry.components, entry.size);
            if (name == "cudaTextureObject_t") type.object = "texture";
            if (name == "cudaSurfaceObject_t") type.object = "surface";
            return type;
        }
    if (name.size() >= 2 && name.back() >= '1' && name.back() <= '4') {
        std::string_view base = name.substr(0, name.size() - 1);
        constexpr std::size_t long_size = sizeof(long);
        if (base == "long") return make(long_size == 8 ? "int64" : "int32", name.back() - '0', long_size);
        if (base == "ulong") return make(long_size == 8 ? "uint64" : "uint32", name.back() - '0', long_size);
        for (const Base& entry : kVectorBases)
            if (base == entry.name) return make(entry.dtype, name.back() - '0', entry.size);
    }
    return {};
}

ElementType resolve(const std::vector<std::string>& words, const TypeAliases& aliases, int depth) {
    int longs = 0, is_short = 0, is_unsigned = 0, is_signed = 0, is_int = 0;
    std::string base;
    bool is_template = false;
    for (const std::string& word : words) {
        if (word == "const" || word == "volatile" || word == "__restrict__" || word == "__restrict" ||
            word == "struct" || word == "class" || word == "enum" || word == "typename" ||
            word == "__grid_constant__" || word == "std" || word == "cuda" || word == "::" || word == "restrict" ||
            word == "register")
            continue;
        if (word == "long")
            ++longs;
        else if (word == "short")
            ++is_short;
        else if (word == "unsigned")
            ++is_unsigned;
        else if (word == "signed" || word == "__signed__")
            ++is_signed;
        else if (word == "int")
            ++is_int;
        else if (word == "<")
            is_template = true;
        else if (base.empty())
            base = word;
        else if (is_template && base == "complex" && (word == "float" || word == "double"))
            return word == "float" ? make("complex64", 1, 8) : make("complex128", 1, 16);
        else if (word != ">")
            base = " "; // several names: no built-in type
    }
    if (is_template) return {};
    if (base == "__int64" || base == "__int128")
        return base == "__int64" ? make("int64", 1, 8) : ElementType{"", 1, 16, 16, {}};
    const char* sign = is_unsigned ? "u" : "";
    if (base == "char") return make(is_unsigned ? "uint8" : "int8", 1, 1);
    if (base == "double" && !longs) return make("float64", 1, 8);
    if (base == "float") return make("float32", 1, 4);
    if (!base.empty() && (longs || is_short || is_unsigned || is_signed || is_int)) return {};
    if (base.empty()) {
        if (is_short) return make(std::string(sign) + "int16", 1, 2);
        if (longs >= 2 || (longs == 1 && sizeof(long) == 8)) return make(std::string(sign) + "int64", 1, 8);
        if (longs || is_int || is_unsigned || is_signed) return make(std::string(sign) + "int32", 1, 4);
        return {};
    }
    if (auto alias = aliases.find(base); alias != aliases.end() && depth < 16)
        return resolve(alias->second, aliases, depth + 1);
    return from_name(base);
}

} // namespace

ElementType element_type(const std::vector<std::string>& words, const TypeAliases& aliases) {
    return resolve(words, aliases, 0);
}

} // namespace warplight::compiler
