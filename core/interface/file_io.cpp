// SPDX-License-Identifier: Apache-2.0
#include "warplight/file_io.hpp"

#include "interface/input.hpp"
#include "interface/platform.hpp"
#include "warplight/error.hpp"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace warplight {

using driver::FileError;

namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& what, int error) {
    std::string hint;
    if (error == ENOSPC) hint = "Free some space or choose another folder";
    if (error == EACCES || error == EROFS || error == EPERM) hint = "Choose a folder that can be written to";
    throw FileError(path.string(), what + ": " + std::generic_category().message(error), hint);
}

} // namespace

std::vector<std::byte> read_file(const FilePath& path) {
    return detail::with_file_errors(path.string(), [&] { return files::read_bytes(path, files::Kind::module); });
}

std::string read_text_file(const FilePath& path) {
    return detail::with_file_errors(path.string(), [&] { return files::read_text(path, files::Kind::module); });
}

void write_file_atomically(const FilePath& file_path, std::initializer_list<std::span<const std::byte>> pieces) {
    const std::filesystem::path path = file_path;
    static std::atomic<unsigned> counter = 0;
    std::filesystem::path temporary = path;
    temporary += ".part-" + std::to_string(detail::process_id()) + "-" + std::to_string(++counter);
    struct Remover { // whatever goes wrong, no half file stays
        const std::filesystem::path& path;
        ~Remover() {
            std::error_code code;
            std::filesystem::remove(path, code);
        }
    };
    {
        detail::File file(temporary, true);
        if (!file) fail(path, "cannot be written", errno);
        const Remover remover{temporary};
        for (const auto piece : pieces) {
            errno = 0;
            if (!piece.empty() && std::fwrite(piece.data(), 1, piece.size(), file.get()) != piece.size())
                fail(path, "cannot be written", errno ? errno : EIO);
        }
        // A full disk may show only when the last bytes leave the buffer.
        errno = 0;
        if (const int error = file.close()) fail(path, "cannot be written", error);
        std::error_code code;
        std::filesystem::rename(temporary, path, code);
        if (code) throw FileError(path.string(), "cannot be replaced: " + code.message());
    }
}

void write_file_atomically(const FilePath& path, std::string_view text) {
    write_file_atomically(path, {std::as_bytes(std::span(text))});
}

} // namespace warplight
