// SPDX-License-Identifier: Apache-2.0
// Buffers as files: .npy, .csv, or the bytes alone.
#pragma once

#include "formats/array_writer.hpp"
#include "worker/request.hpp"

#include "warplight/ndarray.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace warplight::worker {

/// Writes the elements in C order, piece by piece; the file is there whole or not at all. The ending of its name tells
/// the format, as formats/array_writer.hpp has them.
/// @param name of the array in an .npz or HDF5 file
/// @returns the bytes of the file
/// @throws FileError, also for elements that the format does not take; RequestError when cancelled
std::uint64_t write_buffer(const NdArray& array, const std::string& name, const std::filesystem::path& path,
                           const formats::FileDetails& details, const RequestContext& context);

} // namespace warplight::worker
