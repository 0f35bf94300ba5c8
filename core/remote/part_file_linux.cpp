// SPDX-License-Identifier: Apache-2.0
#include "remote/part_file.hpp"

#include "files/problem.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace warplight::remote {
namespace {

[[noreturn]] void part_problem(const std::filesystem::path& path, const char* what) {
    throw files::Problem(path, what, std::error_code(errno, std::generic_category()));
}

} // namespace

PartFile::PartFile(const std::filesystem::path& path) : path_(path) {
    constexpr int tries = 100;
    for (int i = 0; i < tries; ++i) {
        const int handle = ::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0600);
        // A process that ended just before it gave the file its name has left one that nobody may write.
        if (handle < 0 && errno == EACCES && ::unlink(path.c_str()) == 0) continue;
        if (handle < 0) part_problem(path, "cannot be written");
        struct stat here{}, there{};
        if (::flock(handle, LOCK_EX | LOCK_NB) != 0 || ::fstat(handle, &here) != 0 || !S_ISREG(here.st_mode)) {
            ::close(handle);
            return;
        }
        // Who filled it may have given it its name, or removed it, before the lock was free.
        if (::lstat(path.c_str(), &there) == 0 && here.st_dev == there.st_dev && here.st_ino == there.st_ino) {
            handle_ = handle;
            size_ = static_cast<std::uint64_t>(here.st_size);
            return;
        }
        ::close(handle);
    }
}

PartFile::~PartFile() {
    if (handle_ >= 0) ::close(handle_);
}

std::size_t PartFile::read(std::uint64_t offset, std::span<std::byte> to) const {
    std::size_t done = 0;
    while (done < to.size()) {
        const ssize_t count = ::pread(handle_, to.data() + done, to.size() - done, static_cast<off_t>(offset + done));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) part_problem(path_, "cannot be read");
        if (count == 0) break;
        done += static_cast<std::size_t>(count);
    }
    return done;
}

void PartFile::write(std::span<const std::byte> bytes) {
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t count =
            ::pwrite(handle_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(size_ + done));
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) {
            const int reason = count == 0 ? ENOSPC : errno;
            (void)!::ftruncate(handle_, static_cast<off_t>(size_));
            errno = reason;
            part_problem(path_, "cannot be written");
        }
        done += static_cast<std::size_t>(count);
    }
    size_ += bytes.size();
}

void PartFile::truncate() {
    if (::ftruncate(handle_, 0) != 0) part_problem(path_, "cannot be written");
    size_ = 0;
}

void PartFile::finish(const std::filesystem::path& name, bool lasting) {
    if (::fchmod(handle_, 0400) != 0) part_problem(path_, "cannot be protected");
    if (lasting && ::fsync(handle_) != 0 && errno != EINVAL && errno != EROFS) part_problem(path_, "cannot be written");
    if (::rename(path_.c_str(), name.c_str()) != 0) part_problem(name, "cannot be made");
}

void PartFile::remove() { (void)::unlink(path_.c_str()); }

void make_pipe(const std::filesystem::path& path) { (void)!::mkfifo(path.c_str(), 0600); }

} // namespace warplight::remote
