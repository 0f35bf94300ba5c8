// SPDX-License-Identifier: Apache-2.0
#include "warplight/file_io.hpp"

#include "files/new_file.hpp"
#include "interface/input.hpp"
#include "warplight/error.hpp"

#include <filesystem>
#include <system_error>

namespace warplight {

using driver::FileError;

namespace {

std::string hint_for(const std::error_code& error) {
    if (error == std::errc::no_space_on_device) return "Free some space or choose another folder";
    if (error == std::errc::permission_denied || error == std::errc::read_only_file_system ||
        error == std::errc::operation_not_permitted)
        return "Choose a folder that can be written to";
    return {};
}

} // namespace

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
        throw FileError(path.string(), problem.text(), hint_for(problem.code()));
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
