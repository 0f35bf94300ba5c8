// SPDX-License-Identifier: Apache-2.0
// What the interface needs of the platform.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <span>
#include <string>

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

/// A file that several threads read at places of their own.
class RandomFile {
public:
    /// @throws FileError
    explicit RandomFile(const std::filesystem::path& path);
    ~RandomFile();
    RandomFile(const RandomFile&) = delete;
    RandomFile& operator=(const RandomFile&) = delete;
    std::uint64_t size() const noexcept { return size_; }
    /// All of `to`. @throws FileError when the file ends before.
    void read(std::uint64_t offset, std::span<std::byte> to) const;

private:
    std::string name_;
    std::intptr_t handle_ = -1;
    std::uint64_t size_ = 0;
};

unsigned long process_id();

} // namespace warplight::detail
