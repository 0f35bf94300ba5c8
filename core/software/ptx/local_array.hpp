// SPDX-License-Identifier: Apache-2.0
// Names of local arrays. The compiler puts all local arrays of a function into one variable. Where it is known how they
// lie there, each of them is given a variable of its own, whose name tells what it is in the source.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warplight::ptx {

struct LocalArray {
    std::uint64_t offset = 0; ///< in the variable that the compiler has made
    std::uint32_t line = 0;   ///< of the declaration in the source; 0: not known
    std::string name;         ///< in the source; empty: not known
    std::string other;        ///< where it may be another one instead
    std::uint64_t lead = 0;   ///< bytes of this variable in front of it
};

/// An identifier of PTX.
[[nodiscard]] std::string name_of(const LocalArray& array);
/// Nothing: the name of a variable is not one of name_of().
[[nodiscard]] std::optional<LocalArray> local_array_of(std::string_view name);

} // namespace warplight::ptx
