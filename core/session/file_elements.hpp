// SPDX-License-Identifier: Apache-2.0
// Arrays that stay in their file, so that files of any size can be looked at, a piece at a time. They are not mapped
// into memory: a file that another program shortens is an error then, and no crash.
#pragma once

#include "files/input_file.hpp"
#include "session/lazy_elements.hpp"
#include "warplight/file_path.hpp"
#include "warplight/ndarray.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <utility>

namespace warplight::session {

class FileElements : public LazyElements {
public:
    FileElements(std::shared_ptr<const files::InputFile> file, std::uint64_t offset)
        : file_(std::move(file)), offset_(offset) {}
    /// Null for an array that is in no file.
    static const FileElements* of(const NdArray& array);
    [[nodiscard]] const std::filesystem::path& path() const noexcept { return file_->path(); }
    /// Bytes of the array, `place` counted from its first one. @throws FileError
    void read(std::uint64_t place, std::span<std::byte> to) const override;

private:
    std::shared_ptr<const files::InputFile> file_;
    std::uint64_t offset_;
};

/// Elements that lie in C order in a file, from `offset` on. The caller has checked that they are there.
NdArray array_in_file(std::shared_ptr<const files::InputFile> file, std::uint64_t offset, Shape shape, DType dtype);
/// A .npy file. Its elements stay there, except big-endian ones and those in Fortran order, which are read.
/// @throws FileError
NdArray npy_in_file(const FilePath& path);
/// The same elements in memory. @throws FileError
NdArray in_memory(const NdArray& array);
/// @throws FileError where this machine has not the memory to read so much of a file.
void check_file_fits(const std::filesystem::path& file, std::uint64_t bytes);

} // namespace warplight::session
