// SPDX-License-Identifier: Apache-2.0
// Variables and types of the source, from the DWARF that NVRTC and nvcc write into PTX (--device-debug). Reads what
// they write, and takes any bytes: what makes no sense is left out.
//
// Scalars live in PTX registers, whose names are in the DWARF. Structures and arrays live in local memory.
#pragma once

#include "software/ptx/module.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warplight::debug {

using TypeId = std::uint32_t; ///< index into DebugInfo::types
inline constexpr TypeId kVoid = 0;

struct Type {
    enum class Kind : std::uint8_t {
        none,
        integer,
        unsigned_integer,
        boolean,
        character,
        floating,
        pointer,
        structure,
        array,
        enumeration,
        alias
    };
    struct Member {
        std::string name;
        TypeId type = kVoid;
        std::uint64_t offset = 0;
        unsigned first_bit = 0, bit_count = 0; ///< of a bit field: its bits in the number at `offset`
    };
    struct Enumerator {
        std::string name;
        std::int64_t value = 0;
    };
    Kind kind = Kind::none;
    std::string name;
    std::uint64_t size = 0;      ///< bytes
    TypeId of = kVoid;           ///< of pointers, arrays and aliases
    std::uint64_t count = 0;     ///< elements of an array
    std::vector<Member> members; ///< base classes too, without names
    std::vector<Enumerator> enumerators;
    bool is_union = false; ///< a structure whose members share their bytes
};

/// Where a variable is, in one function or for the whole module.
struct Location {
    enum class Kind : std::uint8_t { none, reg, symbol };
    Kind kind = Kind::none;
    std::string name;         ///< of the PTX register or variable
    std::uint64_t offset = 0; ///< bytes behind the variable's start
};

struct DebugVariable {
    struct Range {
        std::uint32_t begin = 0, end = UINT32_MAX; ///< instructions of the function
        Location location;
    };
    std::string name;
    TypeId type = kVoid;
    bool is_parameter = false;
    std::vector<Range> ranges; ///< the first that holds an instruction counts
    [[nodiscard]] const Location* at(std::uint32_t instruction) const;
};

struct DebugScope {
    std::uint32_t begin = 0, end = UINT32_MAX; ///< instructions
    std::vector<DebugVariable> variables;
    std::vector<DebugScope> scopes;
};

/// A variable of the source in a function's local memory.
struct StoredVariable {
    std::string name;
    TypeId type = kVoid;
    std::string symbol;       ///< the PTX variable that holds it
    std::uint64_t offset = 0; ///< bytes behind that one's start
    std::uint32_t line = 0;   ///< of its declaration; 0: not told
};

struct DebugFunction {
    ptx::FunctionId function = 0;
    std::string name; ///< in the source
    DebugScope scope;
    /// All, in their order: of one that is not used there may be no place.
    std::vector<std::pair<std::string, TypeId>> parameters;
    std::vector<StoredVariable> stored; ///< those of inlined calls too, once for each call
};

struct DebugInfo {
    std::vector<Type> types; ///< the first one is void
    std::vector<DebugFunction> functions;
    std::vector<DebugVariable> variables; ///< of the module, and static ones of functions

    [[nodiscard]] const DebugFunction* of(ptx::FunctionId function) const;
    [[nodiscard]] std::optional<TypeId> find_type(std::string_view name) const;
    /// Behind aliases.
    [[nodiscard]] TypeId resolved(TypeId type) const;
    [[nodiscard]] std::uint64_t size_of(TypeId type) const;
    /// As it is written in the source: "const float *", "int[4]".
    [[nodiscard]] std::string name_of(TypeId type) const;
    TypeId add(Type type);
};

/// Of a module without debug sections: nothing but base types.
[[nodiscard]] DebugInfo read_debug_info(const ptx::Module& module);

} // namespace warplight::debug
