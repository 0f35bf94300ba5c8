// SPDX-License-Identifier: Apache-2.0
// Numbers as text: a row for each index of all axes but the last.
#pragma once

#include "formats/output_array.hpp"
#include <string>
#include <vector>

namespace warplight::files {
class NewFile;
}

namespace warplight::formats {

std::string why_no_table(const DType& dtype, const Shape& shape);
/// Numbers have as many digits as they need to be read back unchanged. `headings` are a first line, of columns.
void write_table(files::NewFile& out, const OutputArray& array, char separator,
                 const std::vector<std::string>& headings, const Step& step);

} // namespace warplight::formats
