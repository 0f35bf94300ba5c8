// SPDX-License-Identifier: Apache-2.0
// NumPy's .npz files: zip archives of .npy files, stored (numpy.savez) or deflated (numpy.savez_compressed).
#pragma once

#include "files/new_file.hpp"
#include "formats/member.hpp"
#include "formats/output_array.hpp"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace warplight::formats {

std::vector<Member> npz_members(const std::filesystem::path& file);
ArrayHead npz_head(const std::filesystem::path& file, const std::string& member);
/// In the order of its memory in the file. @throws FileError
NdArray read_npz(const std::filesystem::path& file, const std::string& member, const FitsMemory& fits);
/// @throws FileError where this build cannot write such files
void check_npz(const std::filesystem::path& file);
/// As numpy.savez writes it: not compressed, the same bytes for the same arrays. @throws files::Problem, FileError
void write_npz(files::NewFile& out, std::span<const OutputArray> arrays, const Step& step);

} // namespace warplight::formats
