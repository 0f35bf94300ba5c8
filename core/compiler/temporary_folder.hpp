// SPDX-License-Identifier: Apache-2.0
// A folder for one compilation's files, removed at its end.
#pragma once

#include "files/held_folder.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warplight::compiler {

/// @throws files::Problem where the system's folder for temporary files cannot be used
struct TemporaryFolder {
    files::HeldFolder folder{"compile"};
    std::filesystem::path path = folder.path();
};

inline std::string read_whole_file(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return std::move(text).str();
}

inline void write_whole_file(const std::filesystem::path& path, std::string_view text) {
    std::ofstream(path, std::ios::binary) << text;
}

/// A command as one line.
inline std::string joined(const std::vector<std::string>& command) {
    std::string result;
    for (const std::string& word : command)
        result += (result.empty() ? "" : " ") + word;
    return result;
}

} // namespace warplight::compiler
