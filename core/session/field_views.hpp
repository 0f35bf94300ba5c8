// SPDX-License-Identifier: Apache-2.0
// Fields of structs as arrays of their own, without a copy of the structs. The structs may lie in memory, in a file, or
// be computed.
#pragma once

#include "warplight/ndarray.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warplight::session {

/// A field that holds numbers, or bytes without a meaning.
struct FieldPlace {
    std::string name;                 ///< "pos.x", "v[]", "in[].length": a pair of brackets for each axis of `shape`
    DType dtype;                      ///< of one element; opaque of bytes
    Shape shape;                      ///< of its elements in a struct; empty: one
    std::size_t offset = 0;           ///< of the first one, in bytes from the start of the struct
    std::vector<std::size_t> strides; ///< in bytes, one for each axis
    bool big_endian = false;          ///< as it is stored
};

/// The fields in the order of the description, those of inner structs included; none of other types.
/// @throws LogicError for a description that is damaged
[[nodiscard]] std::vector<FieldPlace> field_places(const DType& structs);

/// A field of each struct, in the machine's byte order: the axes of the structs, and behind them those of the field
/// that `index` leaves.
/// @param name as field_places() has it
/// @param index of the field's first axes
/// @throws SessionError for a field or an index that the structs do not have
[[nodiscard]] NdArray field_view(const NdArray& structs, std::string_view name, std::span<const std::size_t> index);

/// The place of x, y, z or w on an axis of that length: vectors and small arrays have these members.
[[nodiscard]] std::optional<std::size_t> member_of_axis(std::string_view name, std::size_t length);

/// The paths of the fields, without the brackets of axes: "in.length".
/// @throws LogicError for a description that is damaged
[[nodiscard]] std::vector<std::string> field_paths(const DType& structs);

/// The same by the path that a formula writes: "pos.x", "in.length". Each axis of a field stays. The last axis of a
/// field or of an array of numbers, where it has 4 elements at most, has the members x, y, z and w.
/// @throws SessionError for a path that leads nowhere
[[nodiscard]] NdArray member_view(const NdArray& array, std::string_view path);

} // namespace warplight::session
