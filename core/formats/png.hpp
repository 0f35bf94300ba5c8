// SPDX-License-Identifier: Apache-2.0
// Pixels as PNG.
#pragma once

#include "formats/output_array.hpp"

#include <cstddef>
#include <span>
#include <string>

namespace warplight::files {
class NewFile;
}

namespace warplight::formats {

/// Rows of pixels of 1 to 4 channels, a byte each. @throws std::bad_alloc
std::string png_of(std::span<const std::byte> pixels, int width, int height, int channels);

std::string why_no_png(const DType& dtype, const Shape& shape);
void write_png(files::NewFile& out, const OutputArray& array, const Step& step);

} // namespace warplight::formats
