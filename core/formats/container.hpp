// SPDX-License-Identifier: Apache-2.0
// Files that hold several arrays, each under a name: NumPy's .npz, and HDF5.
#pragma once

#include "formats/member.hpp"
#include "warplight/ndarray.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace warplight::formats {

/// By the file's extension, in lower case: ".npz", ".h5", ".hdf5".
bool is_container(std::string_view extension);

/// All arrays of a file, in its order. @throws FileError
std::vector<Member> members_of(const std::filesystem::path& file);
/// One array in C order. `member` may be empty where the file holds only one. @throws FileError with the names that
/// there are where it is not among them.
NdArray read_member(const std::filesystem::path& file, const std::string& member, const FitsMemory& fits);
/// The same without its elements. @throws FileError
ArrayHead head_of_member(const std::filesystem::path& file, const std::string& member);

} // namespace warplight::formats
