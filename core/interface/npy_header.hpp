// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "files/input_file.hpp"
#include "warplight/npy.hpp"
#include "warplight/struct_field.hpp"

#include <string_view>
#include <vector>

namespace warplight::detail {

/// Parses the Python dictionary of a .npy header: descr, fortran_order, shape, in any order.
/// Fills all of `header` but version and data_offset. @throws LogicError saying what is wrong.
void parse_npy_dictionary(std::string_view text, NpyHeader& header);

/// Of a structured type's description. @throws LogicError saying what is wrong
[[nodiscard]] std::vector<StructField> parse_struct_fields(std::string_view descr);

/// The header of an open file. @throws FileError, files::InputError
[[nodiscard]] NpyHeader read_npy_header(const files::InputFile& file);

} // namespace warplight::detail
