// SPDX-License-Identifier: Apache-2.0
// What the interface needs of the platform.
#pragma once

#include <cstdio>
#include <filesystem>

namespace warplight::detail {

/// A stdio file opened by a path of any characters.
class File {
public:
    File(const std::filesystem::path& path, bool write);
    ~File() {
        if (file_) std::fclose(file_);
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    explicit operator bool() const noexcept { return file_ != nullptr; }
    std::FILE* get() const noexcept { return file_; }
    /// Flushes to the disk and closes. Returns errno, 0 when all is written.
    int close();

private:
    std::FILE* file_;
};

unsigned long process_id();

} // namespace warplight::detail
