// SPDX-License-Identifier: Apache-2.0
// A file that comes in pieces, and that one process at a time fills. What has come stays when the process ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

namespace warplight::remote {

class PartFile {
public:
    /// Opens the file, or makes it. It is not open where another process fills it. @throws files::Problem
    explicit PartFile(const std::filesystem::path& path);
    ~PartFile();
    PartFile(const PartFile&) = delete;
    PartFile& operator=(const PartFile&) = delete;

    [[nodiscard]] bool is_open() const noexcept { return handle_ >= 0; }
    [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
    /// Bytes that are there; fewer at the end. @throws files::Problem
    std::size_t read(std::uint64_t offset, std::span<std::byte> to) const;
    /// Appends. What could not be written is taken back. @throws files::Problem
    void write(std::span<const std::byte> bytes);
    void truncate();
    /// Gives it its name, in place of a file that is there. Nobody may write it from then on.
    /// @param lasting it has to outlive a crash of the machine
    void finish(const std::filesystem::path& name, bool lasting);
    void remove();

private:
    std::filesystem::path path_;
    int handle_ = -1;
    std::uint64_t size_ = 0;
};

/// A pipe, which nobody opens for writing. Errors are ignored.
void make_pipe(const std::filesystem::path& path);

} // namespace warplight::remote
