// SPDX-License-Identifier: Apache-2.0
// Files that are there whole or not at all.
#pragma once

#include "files/platform.hpp"
#include "files/problem.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string_view>

namespace warplight::files {

/// The file that a writer fills.
class NewFile {
public:
    NewFile(const std::filesystem::path& path, platform::File& file) : path_(path), file_(file) {}
    /// Appends. @throws Problem, for instance where the disk is full.
    void write(std::span<const std::byte> bytes);
    void write(std::string_view text);
    /// Replaces bytes that were written before, such as a length at the head. @throws Problem
    void write_at(std::uint64_t offset, std::span<const std::byte> bytes);
    /// Reads bytes that were written before. @throws Problem
    void read_at(std::uint64_t offset, std::span<std::byte> to) const;
    [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
    /// The name that the file will get.
    [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

private:
    const std::filesystem::path& path_;
    platform::File& file_;
    std::uint64_t size_ = 0;
};

using Writer = std::function<void(NewFile&)>;

enum class Lasting {
    machine, ///< waits for the disk, so that the file is whole also after the machine has crashed
    process, ///< the file has to outlive this process only
};

/// Writes a file and then gives it its name, in place of an older file. Whoever reads sees the old file or the new one.
/// Until then it is `.NAME.warplight-…` in the same folder, under a name that nobody can guess, which exists
/// only while this process does: the next write into a folder removes the temporary files of processes that are gone.
/// @throws Problem, and what the writer throws; the older file is untouched then, and nothing is left.
void write_new_file(const std::filesystem::path& path, const Writer& writer, Lasting lasting = Lasting::machine);

/// The same in an open folder, where nothing is removed.
void write_new_file(const platform::Folder& folder, const std::filesystem::path& path, const Writer& writer,
                    Lasting lasting);

/// Whether it is a name that write_new_file() gives to a temporary file.
[[nodiscard]] bool is_temporary_file(const std::filesystem::path& name);

/// Removes temporary files of write_new_file() that no process holds.
void remove_temporary_files(const platform::Folder& folder);

} // namespace warplight::files
