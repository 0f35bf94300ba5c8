// SPDX-License-Identifier: Apache-2.0
// The system calls of this layer: folders that nobody can exchange meanwhile, and locks that end with their process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <system_error>

namespace warplight::files::platform {

/// An open file or folder, closed at the end.
class Handle {
public:
    Handle() = default;
    explicit Handle(std::intptr_t value) : value_(value) {}
    Handle(Handle&& other) noexcept : value_(other.value_) { other.value_ = kNone; }
    Handle& operator=(Handle&& other) noexcept;
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    ~Handle() { close(); }
    void close();
    [[nodiscard]] bool is_open() const noexcept { return value_ != kNone; }
    [[nodiscard]] std::intptr_t get() const noexcept { return value_; }

private:
    static constexpr std::intptr_t kNone = -1;
    std::intptr_t value_ = kNone;
};

class File {
public:
    File() = default;
    explicit File(Handle handle) : handle_(std::move(handle)) {}
    [[nodiscard]] bool is_open() const noexcept { return handle_.is_open(); }
    /// All of it, at the end of what was written before.
    [[nodiscard]] std::error_code write(std::span<const std::byte> bytes);
    /// All of it, in place of bytes that were written before. What write() writes next still comes at the end.
    [[nodiscard]] std::error_code write_at(std::uint64_t offset, std::span<const std::byte> bytes);
    /// Bytes that were written before: fills `to`.
    [[nodiscard]] std::error_code read_at(std::uint64_t offset, std::span<std::byte> to) const;
    /// Waits until the disk has all that was written.
    [[nodiscard]] std::error_code sync();
    /// The whole file; false on an error.
    [[nodiscard]] bool read(std::string& to);
    /// The time of the last change becomes now. Errors are ignored.
    void touch();

private:
    Handle handle_;
};

/// A file in a folder.
struct Entry {
    std::filesystem::path name;
    std::uint64_t size = 0;
    std::int64_t changed = 0; ///< a time; later is larger
};

/// Whose folder it must be, and who may write in it.
enum class Owner {
    anybody,
    user,    ///< this user's, no link, and not writable by everybody
    private_ ///< this user's and no link; from now on nobody else may look into it
};

enum class Hold {
    held,
    taken,     ///< by another process
    impossible ///< this file system has no locks
};

/// An open folder. Its files are reached through it, also after somebody has renamed it.
class Folder {
public:
    /// On failure is_open() is false, and `problem` says why.
    static Folder open(const std::filesystem::path& path, Owner owner, std::string& problem);
    [[nodiscard]] bool is_open() const noexcept { return handle_.is_open(); }

    /// A new file for writing, which this process holds until it is closed. With `wide`, others may read it as far as
    /// the user's mask allows, else only the user. An error of file_exists: the name is taken.
    [[nodiscard]] File create(const std::filesystem::path& name, bool wide, std::error_code& error) const;
    /// For reading: a regular file of this user's, and no link.
    [[nodiscard]] File open_file(const std::filesystem::path& name) const;
    /// Replaces `to`.
    [[nodiscard]] std::error_code rename(const std::filesystem::path& from, const std::filesystem::path& to) const;
    void remove(const std::filesystem::path& name) const;
    /// Removes a file of this user's that no process holds.
    void remove_unheld(const std::filesystem::path& name) const;
    [[nodiscard]] bool contains(const std::filesystem::path& name) const;
    /// Calls with each name in the folder.
    void each_name(const std::function<void(const std::filesystem::path& name)>& call) const;
    /// Size and time of a regular file; false where there is none.
    [[nodiscard]] bool status(const std::filesystem::path& name, Entry& entry) const;

    /// Holds the folder until this object ends.
    [[nodiscard]] Hold hold() const;
    /// Whether the path still leads here.
    [[nodiscard]] bool is_at(const std::filesystem::path& path) const;

private:
    Handle handle_;
    mutable Handle held_;        // Windows
    std::filesystem::path path_; // Windows
};

/// A new folder that only this user may enter. An error of file_exists: the name is taken.
[[nodiscard]] std::error_code make_private_folder(const std::filesystem::path& path);
/// Where programs keep what the user made with them and no cache could make again: `~/.local/share`, `%LOCALAPPDATA%`.
/// Empty where the environment names none.
[[nodiscard]] std::filesystem::path user_data_folder();
/// Where programs keep the user's settings: `~/.config`, `%LOCALAPPDATA%`. Empty where the environment names none.
[[nodiscard]] std::filesystem::path user_config_folder();
/// Tells this user's folders in the temporary folder apart from those of others.
[[nodiscard]] std::string user_name_part();

} // namespace warplight::files::platform
