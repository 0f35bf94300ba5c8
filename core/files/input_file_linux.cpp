// SPDX-License-Identifier: Apache-2.0
#include "files/input_file.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <limits>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace warplight::files {
namespace {

const char* kind_name(mode_t mode) {
    if (S_ISFIFO(mode)) return "is a pipe, not a file";
    if (S_ISSOCK(mode)) return "is a socket, not a file";
    if (S_ISCHR(mode) || S_ISBLK(mode)) return "is a device, not a file";
    return "is no regular file";
}

[[noreturn]] void refuse_error(const std::filesystem::path& path, const char* what, int error) {
    if (error == ENOENT) throw InputError(path, "no such file");
    throw InputError(path, what + (": " + std::generic_category().message(error)));
}

void check_regular(const std::filesystem::path& path, const struct stat& status) {
    if (S_ISDIR(status.st_mode)) throw InputError(path, "is a folder");
    if (!S_ISREG(status.st_mode)) throw InputError(path, kind_name(status.st_mode), "Give a regular file");
}

} // namespace

InputFile::InputFile(const std::filesystem::path& path) : path_(path) {
    // To open a device may already do something, such as rewind a tape: it is told by its name first.
    struct stat status{};
    if (stat(path.c_str(), &status) != 0) refuse_error(path, "cannot be opened", errno);
    check_regular(path, status);
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (descriptor < 0) refuse_error(path, "cannot be opened", errno);
    handle_ = descriptor;
    try {
        // The name may mean another file by now.
        if (fstat(descriptor, &status) != 0) refuse_error(path, "cannot be opened", errno);
        check_regular(path, status);
    } catch (...) {
        ::close(descriptor);
        throw;
    }
    size_ = static_cast<std::uint64_t>(std::max<off_t>(status.st_size, 0));
}

InputFile::~InputFile() { ::close(static_cast<int>(handle_)); }

std::size_t InputFile::read_some(std::uint64_t offset, std::span<std::byte> to) const {
    std::size_t done = 0;
    while (done < to.size()) {
        if (offset + done > static_cast<std::uint64_t>(std::numeric_limits<off_t>::max())) break;
        const ssize_t count =
            pread(static_cast<int>(handle_), to.data() + done, to.size() - done, static_cast<off_t>(offset + done));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) refuse_error(path_, "cannot be read", errno);
        if (count == 0) break;
        done += static_cast<std::size_t>(count);
    }
    return done;
}

void InputFile::will_read_in_order() const noexcept {
    (void)posix_fadvise(static_cast<int>(handle_), 0, 0, POSIX_FADV_SEQUENTIAL);
}

} // namespace warplight::files
