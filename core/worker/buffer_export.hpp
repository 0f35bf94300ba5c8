// SPDX-License-Identifier: Apache-2.0
// Buffers as files: .npy, .csv, or the bytes alone.
#pragma once

#include "worker/request.hpp"

#include "warplight/ndarray.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace warplight::worker {

/// Writes the elements in C order, piece by piece; the file is there whole or not at all. The name's ending tells the
/// format. A .csv file has a row for each index of all axes but the last, and numbers that read back as the same.
/// @param headings of the columns of a .csv file, may be empty
/// @returns the bytes of the file
/// @throws FileError, and RequestError when cancelled or for a .csv file of elements that are no numbers
std::uint64_t write_buffer(const NdArray& array, const std::filesystem::path& path,
                           const std::vector<std::string>& headings, const RequestContext& context);

} // namespace warplight::worker
