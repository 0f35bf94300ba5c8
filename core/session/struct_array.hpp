// SPDX-License-Identifier: Apache-2.0
/// Arrays of structs: the kernel's layout as an element type of NumPy's, and structured data brought into it.
#pragma once

#include "debug/layout.hpp"
#include "warplight/struct_field.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace warplight::session {

/// The element type that NumPy reads. Unions are bytes, addresses are uint64; bit fields of one number are one integer,
/// whose name joins theirs with `|`.
[[nodiscard]] DType dtype_of(const debug::Layout& element);

/// The same structs in the kernel's layout. Fields are found by their names and converted like other data.
/// @throws SessionError naming a field that is missing, unknown or of another shape
[[nodiscard]] NdArray in_layout(const debug::Layout& element, const NdArray& structs);

/// One field of each struct, where it lies: the axes of the field behind those of the array.
/// @param path "mass", "pos.x", "v[2]" @throws SessionError for a path that names no numbers
[[nodiscard]] NdArray view_of_field(const debug::Layout& element, const NdArray& structs, std::string_view path);

/// The fields that hold numbers or bytes, nested ones by "inner.x"; arrays of structs have an axis more.
struct LeafView {
    std::string path;
    NdArray values;
    bool big_endian = false;
};
/// @throws LogicError for a damaged description
[[nodiscard]] std::vector<LeafView> leaves_of(const NdArray& structs);

} // namespace warplight::session
