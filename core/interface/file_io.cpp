// SPDX-License-Identifier: Apache-2.0
#include "warplight/file_io.hpp"

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

std::vector<std::byte> read_file(const FilePath& file_path) {
    const std::filesystem::path path = file_path;
    std::error_code code;
    const auto status = std::filesystem::status(path, code);
    if (status.type() == std::filesystem::file_type::not_found) throw FileError(path.string(), "no such file");
    if (status.type() == std::filesystem::file_type::directory) throw FileError(path.string(), "is a folder");
    detail::File file(path, false);
    if (!file) fail(path, "cannot be opened", errno);
    std::vector<std::byte> bytes;
    if (status.type() == std::filesystem::file_type::regular)
        if (const auto size = std::filesystem::file_size(path, code); !code) bytes.reserve(size + 1);
    std::byte block[65536];
    std::size_t count = 0;
    errno = 0;
    while ((count = std::fread(block, 1, sizeof block, file.get())) > 0)
        bytes.insert(bytes.end(), block, block + count);
    if (std::ferror(file.get())) fail(path, "cannot be read", errno);
    return bytes;
}

std::string read_text_file(const FilePath& path) {
    const auto bytes = read_file(path);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
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
