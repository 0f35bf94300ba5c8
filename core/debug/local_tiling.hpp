// SPDX-License-Identifier: Apache-2.0
// How the arrays of a depot can lie in it. Compilers place them one after the other, each at the next multiple of its
// alignment. Known are places at which some array is, and which arrays may be there.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <vector>

namespace warplight::debug {

using ArrayId = std::uint32_t; ///< index into LocalSources::arrays

struct TilingChoice {
    std::uint64_t size = 0;
    std::uint64_t alignment = 1;
    bool is_exact = true;  ///< else it may be smaller
    std::set<ArrayId> ids; ///< arrays of this size, one of which it is; empty: any
};
/// A place that belongs to one array, and may be inside of it.
struct TilingPlace {
    std::uint64_t offset = 0;
    std::uint64_t end = 0; ///< up to which it belongs to the array surely
    std::vector<TilingChoice> choices;
};

/// What all ways to lay out the depot have in common: an array begins here, and another one behind it.
struct TilingPart {
    std::uint64_t offset = 0;
    std::uint64_t size = 0; ///< the most that the array has. Of several arrays, up to where the next part begins
    std::set<ArrayId> ids;  ///< one of which it is, where that is known
    bool may_be_several = false;
};

/// Nothing where there is no way.
[[nodiscard]] std::optional<std::vector<TilingPart>> tile(std::span<const TilingPlace> places, std::uint64_t size,
                                                          std::uint64_t alignment);

} // namespace warplight::debug
