// SPDX-License-Identifier: Apache-2.0
#include "session/file_elements.hpp"

#include "session/platform.hpp"
#include "warplight/error.hpp"
#include "warplight/npy.hpp"

#include <string>
#include <utility>

namespace warplight::session {

const FileElements* FileElements::of(const NdArray& array) {
    return dynamic_cast<const FileElements*>(array.base().get());
}

void FileElements::read(std::uint64_t place, std::span<std::byte> to) const {
    try {
        file_->read(offset_ + place, to);
    } catch (const files::InputError& error) {
        throw FileError(file_->path().string(), error.problem(), error.hint());
    }
}

NdArray array_in_file(std::shared_ptr<const files::InputFile> file, std::uint64_t offset, Shape shape, DType dtype) {
    return NdArray::wrap(nullptr, std::move(shape), std::move(dtype), Order::C,
                         std::make_shared<FileElements>(std::move(file), offset), false);
}

NdArray npy_in_file(const FilePath& path) {
    std::shared_ptr<const files::InputFile> file;
    try {
        file = std::make_shared<files::InputFile>(path);
    } catch (const files::InputError& error) {
        throw FileError(path.string(), error.problem(), error.hint());
    }
    const NpyHeader header = read_npy_header(path);
    const bool rows = !header.fortran_order || header.shape.size() < 2;
    if (rows && !header.big_endian && !header.object)
        return array_in_file(std::move(file), header.data_offset, header.shape, header.dtype);
    check_file_fits(path, header.nbytes);
    return load_npy(path).as_readonly();
}

NdArray in_memory(const NdArray& array) {
    const LazyElements* elements = LazyElements::of(array);
    if (!elements) return array;
    if (const FileElements* file = FileElements::of(array)) check_file_fits(file->path(), array.nbytes());
    NdArray copy = NdArray::empty(array.shape(), array.dtype());
    elements->read(0, copy.mutable_bytes());
    return copy;
}

void check_file_fits(const std::filesystem::path& file, std::uint64_t bytes) {
    // The rest is for the program, and for a second copy's beginning: the system ends who takes it all.
    const std::uint64_t memory = platform::physical_memory() / 4 * 3;
    if (memory == 0 || bytes <= memory) return;
    throw FileError(file.string(),
                    "holds an array of " + files::size_text(bytes) + ", more than the " + files::size_text(memory) +
                        " that this machine has for one",
                    "Read a part of it by a smaller shape");
}

} // namespace warplight::session
