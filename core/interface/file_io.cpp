// SPDX-License-Identifier: Apache-2.0
#include "warplight/file_io.hpp"

#include "files/new_file.hpp"
#include "interface/input.hpp"
#include "warplight/error.hpp"

#include <filesystem>

namespace warplight {

using driver::FileError;

std::vector<std::byte> read_file(const FilePath& path) {
    return detail::with_file_errors(path.string(), [&] { return files::read_bytes(path, files::Kind::module); });
}

std::string read_text_file(const FilePath& path) {
    return detail::with_file_errors(path.string(), [&] { return files::read_text(path, files::Kind::module); });
}

void write_file_atomically(const FilePath& file_path, const std::function<void(const PieceWriter&)>& fill) {
    const std::filesystem::path path = file_path;
    try {
        files::write_new_file(
            path, [&](files::NewFile& file) { fill([&](std::span<const std::byte> piece) { file.write(piece); }); });
    } catch (const files::Problem& problem) {
        throw FileError(path.string(), problem.text(), problem.hint());
    }
}

void write_file_atomically(const FilePath& path, std::initializer_list<std::span<const std::byte>> pieces) {
    write_file_atomically(path, [&](const PieceWriter& write) {
        for (const auto piece : pieces)
            write(piece);
    });
}

void write_file_atomically(const FilePath& path, std::string_view text) {
    write_file_atomically(path, {std::as_bytes(std::span(text))});
}

} // namespace warplight
