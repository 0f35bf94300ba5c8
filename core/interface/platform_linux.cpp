// SPDX-License-Identifier: Apache-2.0
#include "interface/platform.hpp"

#include "warplight/error.hpp"
#include "warplight/file_io.hpp"

#include <cerrno>
#include <fcntl.h>
#include <memory>
#include <sys/mman.h>
#include <sys/stat.h>
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

RandomFile::RandomFile(const std::filesystem::path& path) : name_(path.string()) {
    const auto fail = [&](int descriptor) {
        const int error = errno;
        if (descriptor >= 0) ::close(descriptor);
        throw driver::FileError(name_, "cannot be opened: " + std::generic_category().message(error));
    };
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat status{};
    if (descriptor < 0 || fstat(descriptor, &status) != 0) fail(descriptor);
    if (!S_ISREG(status.st_mode)) {
        ::close(descriptor);
        throw driver::FileError(name_, "is no regular file");
    }
    posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL);
    handle_ = descriptor;
    size_ = static_cast<std::uint64_t>(status.st_size);
}

RandomFile::~RandomFile() { ::close(static_cast<int>(handle_)); }

void RandomFile::read(std::uint64_t offset, std::span<std::byte> to) const {
    while (!to.empty()) {
        const ssize_t bytes = pread(static_cast<int>(handle_), to.data(), to.size(), static_cast<off_t>(offset));
        if (bytes < 0 && errno == EINTR) continue;
        if (bytes < 0) throw driver::FileError(name_, "cannot be read: " + std::generic_category().message(errno));
        if (bytes == 0) throw driver::FileError(name_, "ends before its size");
        to = to.subspan(static_cast<std::size_t>(bytes));
        offset += static_cast<std::uint64_t>(bytes);
    }
}

unsigned long process_id() { return static_cast<unsigned long>(getpid()); }

} // namespace detail

Shared<MappedFile> MappedFile::open(const FilePath& file_path) {
    const std::filesystem::path path = file_path;
    const auto fail = [&](int error) {
        throw driver::FileError(path.string(), "cannot be opened: " + std::generic_category().message(error));
    };
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) fail(errno);
    struct Closer {
        int descriptor;
        ~Closer() { ::close(descriptor); }
    } closer{descriptor};
    struct stat status{};
    if (fstat(descriptor, &status) != 0) fail(errno);
    if (!S_ISREG(status.st_mode)) throw driver::FileError(path.string(), "is no regular file");
    std::shared_ptr<MappedFile> file(new MappedFile);
    file->size_ = static_cast<std::size_t>(status.st_size);
    if (file->size_) {
        void* data = mmap(nullptr, file->size_, PROT_READ, MAP_PRIVATE, descriptor, 0);
        if (data == MAP_FAILED) {
            const int error = errno;
            file->size_ = 0;
            fail(error);
        }
        file->data_ = static_cast<const std::byte*>(data);
    }
    return file;
}

MappedFile::~MappedFile() {
    if (data_) munmap(const_cast<std::byte*>(data_), size_);
}

} // namespace warplight
