// SPDX-License-Identifier: Apache-2.0
#include "warplight/file_path.hpp"

#include <filesystem>

namespace warplight {

FilePath::FilePath(std::string_view text) : native_(std::filesystem::path(text).native()) {}

std::string FilePath::string() const { return std::filesystem::path(native_).string(); }

} // namespace warplight
