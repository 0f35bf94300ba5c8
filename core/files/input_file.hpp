// SPDX-License-Identifier: Apache-2.0
// The one place where files are opened for reading. Only regular files are read, never more than a limit, and opening
// never waits: a pipe, a device or a file without an end is refused with a sentence that says so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace warplight::files {

/// What a file is read as. It decides how large the file may be.
enum class Kind {
    source,   ///< CUDA or PTX text
    header,   ///< what a source includes
    session,  ///< a session document
    table,    ///< numbers as text
    image,    ///< a picture
    module,   ///< compiled code: CUBIN, fat binary, archive
    settings, ///< small files of the program itself
};

/// Bytes that a file of this kind may have.
[[nodiscard]] std::uint64_t limit_of(Kind kind);
/// "a source", "an image": for messages.
[[nodiscard]] std::string_view name_of(Kind kind);
/// "3 bytes", "64 MiB", "8.0 TiB"
[[nodiscard]] std::string size_text(std::uint64_t bytes);

/// Why a file is not read: "X: is a pipe, not a file; give a regular file", without a full stop.
class InputError : public std::runtime_error {
public:
    InputError(const std::filesystem::path& path, std::string problem, std::string hint = {});
    /// "is a pipe, not a file", to be put after the file's name.
    [[nodiscard]] const std::string& problem() const noexcept { return problem_; }
    /// What to do about it, without a full stop: "Give a regular file". May be empty.
    [[nodiscard]] const std::string& hint() const noexcept { return hint_; }

private:
    std::string problem_;
    std::string hint_;
};

/// A regular file, open for reading. Several threads may read at places of their own.
class InputFile {
public:
    /// Never waits, whatever the path names. @throws InputError
    explicit InputFile(const std::filesystem::path& path);
    ~InputFile();
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
    /// Bytes when it was opened. Another program may have changed it since.
    [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
    /// Reads until `to` is full or the file ends. Returns the bytes read. @throws InputError
    [[nodiscard]] std::size_t read_some(std::uint64_t offset, std::span<std::byte> to) const;
    /// Fills `to`. @throws InputError, also when the file ends before: then another program has shortened it.
    void read(std::uint64_t offset, std::span<std::byte> to) const;
    /// Lets the system read ahead further than usual.
    void will_read_in_order() const noexcept;
    /// The system's handle, for mapping.
    [[nodiscard]] std::intptr_t handle() const noexcept { return handle_; }

private:
    std::filesystem::path path_;
    std::intptr_t handle_ = -1;
    std::uint64_t size_ = 0;
};

/// The whole file. What other programs append meanwhile is left out. @throws InputError, also when it is too large.
[[nodiscard]] std::string read_text(const std::filesystem::path& path, Kind kind);
[[nodiscard]] std::vector<std::byte> read_bytes(const std::filesystem::path& path, Kind kind);
/// The same of a file that is open.
[[nodiscard]] std::vector<std::byte> read_bytes(const InputFile& file, Kind kind);

} // namespace warplight::files
