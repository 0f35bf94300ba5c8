// SPDX-License-Identifier: Apache-2.0
// Fields of structured element types, as NumPy's structured arrays have them.
#pragma once

#include "warplight/ndarray.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace warplight {

/// A field of a structured element type.
struct StructField {
    std::string name;
    std::size_t offset = 0;          ///< bytes from the start of the structure that it belongs to
    DType dtype;                     ///< of one element; opaque of a structure, and of bytes without a meaning
    Shape shape;                     ///< of a sub-array; empty: one element
    bool big_endian = false;         ///< its numbers need their bytes swapped
    std::vector<StructField> fields; ///< of a structure
};

/// The fields of a structured type, without its padding; empty for other types.
/// @throws LogicError for a description that is damaged
std::vector<StructField> fields_of(const DType& dtype);
/// The structured type with these fields, in the order of their offsets. What lies between them is padding.
/// @throws LogicError for fields that overlap, or that reach past the end
DType struct_dtype(const std::vector<StructField>& fields, std::size_t itemsize);

} // namespace warplight
