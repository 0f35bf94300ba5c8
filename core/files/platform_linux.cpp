// SPDX-License-Identifier: Apache-2.0
#include "files/platform.hpp"

#include <cerrno>
#include <cstdlib>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <string_view>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace warplight::files::platform {
namespace fs = std::filesystem;
namespace {

int descriptor(const Handle& handle) { return static_cast<int>(handle.get()); }

std::error_code last_error() { return {errno, std::generic_category()}; }

bool is_mine(const struct stat& status) { return status.st_uid == geteuid(); }

/// Locks of flock() belong to the open file. They end with the last process that has it open.
bool lock(int file, bool wait) {
    int result = -1;
    do {
        result = flock(file, wait ? LOCK_EX : LOCK_EX | LOCK_NB);
    } while (result != 0 && errno == EINTR);
    return result == 0;
}

} // namespace

Handle& Handle::operator=(Handle&& other) noexcept {
    if (this != &other) {
        close();
        value_ = std::exchange(other.value_, kNone);
    }
    return *this;
}

void Handle::close() {
    if (value_ != kNone) ::close(static_cast<int>(std::exchange(value_, kNone)));
}

std::error_code File::write(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t count = ::write(descriptor(handle_), bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return last_error();
        bytes = bytes.subspan(static_cast<std::size_t>(count));
    }
    return {};
}

std::error_code File::write_at(std::uint64_t offset, std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t count = pwrite(descriptor(handle_), bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return last_error();
        bytes = bytes.subspan(static_cast<std::size_t>(count));
        offset += static_cast<std::uint64_t>(count);
    }
    return {};
}

std::error_code File::read_at(std::uint64_t offset, std::span<std::byte> to) const {
    while (!to.empty()) {
        const ssize_t count = pread(descriptor(handle_), to.data(), to.size(), static_cast<off_t>(offset));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return last_error();
        if (count == 0) return std::make_error_code(std::errc::io_error);
        to = to.subspan(static_cast<std::size_t>(count));
        offset += static_cast<std::uint64_t>(count);
    }
    return {};
}

std::error_code File::sync() {
    // Some file systems have nothing to wait for, and say so.
    if (fsync(descriptor(handle_)) != 0 && errno != EINVAL && errno != EROFS) return last_error();
    return {};
}

bool File::read(std::string& to) {
    struct stat status{};
    if (fstat(descriptor(handle_), &status) != 0) return false;
    to.resize(static_cast<std::size_t>(status.st_size));
    std::size_t done = 0;
    while (done < to.size()) {
        const ssize_t count = ::read(descriptor(handle_), to.data() + done, to.size() - done);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        done += static_cast<std::size_t>(count);
    }
    return true;
}

void File::touch() { (void)futimens(descriptor(handle_), nullptr); }

Folder Folder::open(const fs::path& path, Owner owner, std::string& problem) {
    Folder folder;
    const int links = owner == Owner::anybody ? 0 : O_NOFOLLOW;
    // O_PATH needs no permission to read: files can be written into a folder that cannot be listed.
    const int access = owner == Owner::anybody ? O_PATH : O_RDONLY;
    Handle handle(::open(path.empty() ? "." : path.c_str(), access | O_DIRECTORY | O_CLOEXEC | links));
    struct stat status{};
    if (!handle.is_open() || fstat(descriptor(handle), &status) != 0) {
        // The answer of open() to a link that it may not follow.
        const bool link = links && (errno == ELOOP || errno == ENOTDIR);
        problem =
            link ? "is no folder of its own: a link or a file is there" : "cannot be opened: " + last_error().message();
        return folder;
    }
    if (owner != Owner::anybody && !is_mine(status)) {
        problem = "belongs to another user";
        return folder;
    }
    if (owner == Owner::user && (status.st_mode & S_IWOTH)) {
        problem = "can be written by every user";
        return folder;
    }
    if (owner == Owner::private_ && (status.st_mode & 077) && fchmod(descriptor(handle), 0700) != 0) {
        problem = "cannot be made private: " + last_error().message();
        return folder;
    }
    folder.handle_ = std::move(handle);
    return folder;
}

File Folder::create(const fs::path& name, bool wide, std::error_code& error) const {
    const int flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    Handle handle(openat(descriptor(handle_), name.c_str(), flags, wide ? 0666 : 0600));
    if (!handle.is_open()) {
        error = last_error();
        return {};
    }
    // A process that removes leftovers may have been faster with the lock.
    struct stat status{};
    if (lock(descriptor(handle), true) && fstat(descriptor(handle), &status) == 0 && status.st_nlink == 0) {
        error = std::make_error_code(std::errc::file_exists);
        return {};
    }
    error.clear();
    return File(std::move(handle));
}

File Folder::open_file(const fs::path& name) const {
    Handle handle(openat(descriptor(handle_), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    struct stat status{};
    if (!handle.is_open() || fstat(descriptor(handle), &status) != 0) return {};
    if (!S_ISREG(status.st_mode) || !is_mine(status)) return {};
    return File(std::move(handle));
}

std::error_code Folder::rename(const fs::path& from, const fs::path& to) const {
    const int folder = descriptor(handle_);
    return renameat(folder, from.c_str(), folder, to.c_str()) == 0 ? std::error_code() : last_error();
}

void Folder::remove(const fs::path& name) const { (void)unlinkat(descriptor(handle_), name.c_str(), 0); }

void Folder::remove_unheld(const fs::path& name) const {
    Handle handle(openat(descriptor(handle_), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    struct stat status{};
    if (!handle.is_open() || fstat(descriptor(handle), &status) != 0) return;
    if (S_ISREG(status.st_mode) && is_mine(status) && lock(descriptor(handle), false)) remove(name);
}

bool Folder::contains(const fs::path& name) const {
    struct stat status{};
    return fstatat(descriptor(handle_), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0;
}

void Folder::each_name(const std::function<void(const fs::path&)>& call) const {
    const int again = openat(descriptor(handle_), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (again < 0) return;
    DIR* stream = fdopendir(again);
    if (!stream) {
        ::close(again);
        return;
    }
    const std::unique_ptr<DIR, int (*)(DIR*)> closer(stream, &closedir);
    while (const dirent* entry = readdir(stream)) {
        const std::string_view name = entry->d_name;
        if (name != "." && name != "..") call(fs::path(name));
    }
}

bool Folder::status(const fs::path& name, Entry& entry) const {
    struct stat status{};
    if (fstatat(descriptor(handle_), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(status.st_mode))
        return false;
    entry.name = name;
    entry.size = static_cast<std::uint64_t>(status.st_size);
    entry.changed = std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
    return true;
}

Hold Folder::hold() const {
    if (lock(descriptor(handle_), false)) return Hold::held;
    return errno == EWOULDBLOCK ? Hold::taken : Hold::impossible;
}

bool Folder::is_at(const fs::path& path) const {
    struct stat here{}, there{};
    return fstat(descriptor(handle_), &here) == 0 && lstat(path.c_str(), &there) == 0 && here.st_dev == there.st_dev &&
           here.st_ino == there.st_ino;
}

std::error_code make_private_folder(const fs::path& path) {
    return mkdir(path.c_str(), 0700) == 0 ? std::error_code() : last_error();
}

namespace {
/// What an absolute path of the environment names, else a folder of the user's.
std::filesystem::path user_folder(const char* variable, const std::filesystem::path& below_home) {
    if (const char* folder = std::getenv(variable); folder && *folder == '/') return folder;
    if (const char* home = std::getenv("HOME"); home && *home) return std::filesystem::path(home) / below_home;
    return {};
}
} // namespace

std::filesystem::path user_data_folder() { return user_folder("XDG_DATA_HOME", ".local/share"); }

std::filesystem::path user_config_folder() { return user_folder("XDG_CONFIG_HOME", ".config"); }

std::string user_name_part() { return std::to_string(geteuid()); }

} // namespace warplight::files::platform
