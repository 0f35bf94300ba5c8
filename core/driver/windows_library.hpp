// SPDX-License-Identifier: Apache-2.0
// For the platform files of Windows, whose loader tells a number.
#pragma once

#include <filesystem>
#include <string>

namespace warplight::driver::detail {

/// Why LoadLibrary did not open a file, by its error: a sentence without the file's name. Files of another processor
/// and files whose own libraries are missing are told apart from others.
std::string why_not_opened(const std::filesystem::path& file, unsigned long error);

} // namespace warplight::driver::detail
