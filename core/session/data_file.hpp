// SPDX-License-Identifier: Apache-2.0
// Helpers that the readers of data files share.
#pragma once

#include "warplight/ndarray.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace warplight::session {

/// Texts of a session are UTF-8 on every platform.
inline std::filesystem::path path_from_utf8(const std::string& text) {
    return std::filesystem::path(std::u8string(text.begin(), text.end()));
}
inline std::string utf8_of(const std::filesystem::path& path) {
    const auto text = path.u8string();
    return {text.begin(), text.end()};
}
/// ".npy" of "X.NPY"
std::string lower_extension(const std::filesystem::path& file);
/// Rows of numbers between commas, semicolons, tabs or blanks; a first line of names is skipped.
/// One column gives [rows], more give [rows, columns]. @throws SessionError with the line.
NdArray read_csv(const std::filesystem::path& file, const DType& dtype);
/// The same of the file's text; `file` is its name in messages.
NdArray parse_csv(std::string_view text, const std::filesystem::path& file, const DType& dtype);

} // namespace warplight::session
