// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace warplight::formats {

/// ".npy" of "X.NPY"
inline std::string extension_of(const std::filesystem::path& file) {
    std::string extension = file.extension().string();
    for (char& c : extension)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return extension;
}
inline bool is_npz(const std::filesystem::path& file) { return extension_of(file) == ".npz"; }

} // namespace warplight::formats
