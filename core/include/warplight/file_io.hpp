// SPDX-License-Identifier: Apache-2.0
// Files: mapped for reading, and written whole or not at all.
#pragma once

#include "warplight/file_path.hpp"
#include "warplight/ndarray.hpp"
#include "warplight/shared.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warplight {

/// A file mapped into memory, read-only: opening costs the same for any size. An array can own it.
/// Another program that shortens the file meanwhile makes the lost pages unreadable, which ends the process: map only
/// files that are yours. Warplight's own programs read files instead.
class MappedFile : public ArrayOwner {
public:
    /// @throws FileError when it cannot be opened or is no regular file.
    static Shared<MappedFile> open(const FilePath& path);
    ~MappedFile() override;
    std::span<const std::byte> bytes() const noexcept { return {data_, size_}; }

private:
    MappedFile() = default;
    const std::byte* data_ = nullptr;
    std::size_t size_ = 0;
    [[maybe_unused]] void* handle_ = nullptr; // Windows: the mapping
};

/// The whole file, which is a regular one of at most 1 GiB: pipes and devices are refused, so that opening never waits.
/// @throws FileError
std::vector<std::byte> read_file(const FilePath& path);
std::string read_text_file(const FilePath& path);

/// Writes the pieces one after the other to a temporary file beside `path` and renames it: whoever reads sees the old
/// file or the new one. @throws FileError (no permission, disk full, …); the old file is untouched then.
void write_file_atomically(const FilePath& path, std::initializer_list<std::span<const std::byte>> pieces);
void write_file_atomically(const FilePath& path, std::string_view text);
/// The same of pieces that are made one after the other: `fill` calls its argument with each. What it throws leaves the
/// old file untouched, too.
using PieceWriter = std::function<void(std::span<const std::byte>)>;
void write_file_atomically(const FilePath& path, const std::function<void(const PieceWriter&)>& fill);

} // namespace warplight
