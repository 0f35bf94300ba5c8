// SPDX-License-Identifier: Apache-2.0
// The entries of a zip archive, read by minizip. Archives may be damaged on purpose: no entry unfolds to more than its
// packed bytes can hold.
#pragma once

#include "files/input_file.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace warplight::formats {

struct ZipEntry {
    std::string name;       ///< as plain_name() writes it
    std::uint64_t size = 0; ///< bytes, unpacked
};

/// All throw FileError about a damaged archive.
class ZipReader {
public:
    /// Reads the list of entries. The file outlives this.
    explicit ZipReader(const files::InputFile& file);
    ~ZipReader();
    ZipReader(const ZipReader&) = delete;
    ZipReader& operator=(const ZipReader&) = delete;

    [[nodiscard]] const std::vector<ZipEntry>& entries() const noexcept { return entries_; }
    /// Begins to read an entry, and ends the one before.
    void open(std::size_t index);
    /// The next bytes of the entry, as many as `to` takes, or fewer at its end.
    [[nodiscard]] std::size_t read(std::span<std::byte> to);
    /// Reads what is left of the entry, and compares its checksum.
    void finish();

private:
    struct State;
    std::unique_ptr<State> state_;
    std::vector<ZipEntry> entries_;
    std::size_t current_ = 0;
};

} // namespace warplight::formats
