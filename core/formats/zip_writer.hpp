// SPDX-License-Identifier: Apache-2.0
// Writes a zip archive by minizip: its entries are stored, and the same contents make the same bytes.
#pragma once

#include "formats/output_stream.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace warplight::formats {

class ZipWriter {
public:
    /// Appends to the file, which outlives this.
    explicit ZipWriter(files::NewFile& file);
    ~ZipWriter();
    ZipWriter(const ZipWriter&) = delete;
    ZipWriter& operator=(const ZipWriter&) = delete;

    /// Begins an entry of about so many bytes. All throw files::Problem where the file cannot be written, and
    /// FileError.
    void open(const std::string& name, std::uint64_t size);
    void write(std::span<const std::byte> bytes);
    void close();
    /// Writes the list of contents. Nothing may follow.
    void finish();

private:
    void check(int status) const;
    OutputStream stream_;
    std::string path_;
    void* archive_ = nullptr;
};

} // namespace warplight::formats
