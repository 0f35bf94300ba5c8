// SPDX-License-Identifier: Apache-2.0
// Datasets of HDF5 files. Links into other files, and data that lies in them, are refused: a file reaches itself alone.
#pragma once

#include "formats/member.hpp"
#include "formats/output_array.hpp"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace warplight::files {
class NewFile;
}

namespace warplight::formats {

/// In groups too: "group/x".
std::vector<Member> hdf5_members(const std::filesystem::path& file);
ArrayHead hdf5_head(const std::filesystem::path& file, const std::string& member);
NdArray read_hdf5(const std::filesystem::path& file, const std::string& member, const FitsMemory& fits);

std::string why_no_hdf5(const DType& dtype, const Shape& shape);
/// The file is made in memory first, which therefore holds the arrays twice more. The same arrays make the same bytes.
/// @throws files::Problem, FileError
void write_hdf5(files::NewFile& out, std::span<const OutputArray> arrays, const Step& step);

} // namespace warplight::formats
