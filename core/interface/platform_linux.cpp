// SPDX-License-Identifier: Apache-2.0
#include "interface/platform.hpp"

#include "interface/input.hpp"
#include "warplight/error.hpp"
#include "warplight/file_io.hpp"

#include <cerrno>
#include <memory>
#include <sys/mman.h>
#include <system_error>
#include <unistd.h>

namespace warplight {

namespace detail {

File::File(const std::filesystem::path& path, bool write) : file_(std::fopen(path.c_str(), write ? "wbxe" : "rbe")) {}

int File::close() {
    int error = 0;
    if (std::fflush(file_) != 0) error = errno;
    // Without this a crash of the machine soon after the rename could leave an empty file under the final name.
    if (!error && fsync(fileno(file_)) != 0 && errno != EINVAL && errno != EROFS) error = errno;
    if (std::fclose(file_) != 0 && !error) error = errno;
    file_ = nullptr;
    return error;
}

unsigned long process_id() { return static_cast<unsigned long>(getpid()); }

} // namespace detail

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
