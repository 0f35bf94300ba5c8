// SPDX-License-Identifier: Apache-2.0
// A folder for one compilation's files, removed at its end.
#pragma once

#include "compiler/platform.hpp"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

namespace warplight::compiler {

struct TemporaryFolder {
    std::filesystem::path path;
    TemporaryFolder() {
        static std::atomic<unsigned> counter{0};
        path = std::filesystem::temp_directory_path() /
               ("warplight-" + std::to_string(platform::process_id()) + "-" + std::to_string(counter++));
        std::filesystem::create_directories(path);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }
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
