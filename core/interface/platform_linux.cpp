// SPDX-License-Identifier: Apache-2.0
#include "interface/input.hpp"
#include "warplight/error.hpp"
#include "warplight/file_io.hpp"

#include <cerrno>
#include <memory>
#include <sys/mman.h>
#include <system_error>

namespace warplight {

Shared<MappedFile> MappedFile::open(const FilePath& path) {
    const auto input = detail::open_input(path);
    std::shared_ptr<MappedFile> file(new MappedFile);
    file->size_ = static_cast<std::size_t>(input->size());
    if (file->size_) {
        void* data = mmap(nullptr, file->size_, PROT_READ, MAP_PRIVATE, static_cast<int>(input->handle()), 0);
        if (data == MAP_FAILED) {
            const int error = errno;
            file->size_ = 0;
            throw driver::FileError(path.string(), "cannot be mapped: " + std::generic_category().message(error));
        }
        file->data_ = static_cast<const std::byte*>(data);
    }
    return file;
}

MappedFile::~MappedFile() {
    if (data_) munmap(const_cast<std::byte*>(data_), size_);
}

} // namespace warplight
