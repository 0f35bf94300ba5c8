// SPDX-License-Identifier: Apache-2.0
#include "files/input_file.hpp"

#include <array>
#include <utility>

namespace warplight::files {
namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

std::string sentence(const std::filesystem::path& path, const std::string& problem, std::string hint) {
    std::string text = path.string() + ": " + problem;
    if (hint.empty()) return text;
    if (hint[0] >= 'A' && hint[0] <= 'Z') hint[0] = static_cast<char>(hint[0] - 'A' + 'a');
    return text + "; " + hint;
}

void check_size(const InputFile& file, Kind kind) {
    if (file.size() <= limit_of(kind)) return;
    throw InputError(file.path(), "has " + size_text(file.size()) + ", more than the " + size_text(limit_of(kind)) +
                                      " that " + std::string(name_of(kind)) + " may have");
}

template <class Container>
Container read_all(const InputFile& file, Kind kind) {
    check_size(file, kind);
    Container content;
    content.resize(static_cast<std::size_t>(file.size()));
    // An editor may write the file just now. What is there is taken; a reader of it sees that the rest is missing.
    content.resize(file.read_some(0, std::as_writable_bytes(std::span(content.data(), content.size()))));
    return content;
}

} // namespace

std::uint64_t limit_of(Kind kind) {
    switch (kind) {
    case Kind::source:
    case Kind::header:
    case Kind::session:
    case Kind::settings: return 64 * kMiB;
    case Kind::image: return 256 * kMiB;
    case Kind::table: return 512 * kMiB;
    case Kind::module: break;
    }
    return 1024 * kMiB;
}

std::string_view name_of(Kind kind) {
    switch (kind) {
    case Kind::source: return "a source";
    case Kind::header: return "a header";
    case Kind::session: return "a session";
    case Kind::table: return "a table";
    case Kind::image: return "an image";
    case Kind::module: return "compiled code";
    case Kind::settings: break;
    }
    return "a file of settings";
}

std::string size_text(std::uint64_t bytes) {
    static constexpr std::array<const char*, 6> kUnits = {" KiB", " MiB", " GiB", " TiB", " PiB", " EiB"};
    if (bytes < 1024) return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
    std::size_t unit = 0;
    std::uint64_t scale = 1024;
    while (unit + 1 < kUnits.size() && bytes / scale >= 1024) {
        scale *= 1024;
        ++unit;
    }
    const std::uint64_t whole = bytes / scale;
    const std::uint64_t rest = bytes % scale;
    std::string text = std::to_string(whole);
    if (rest != 0 && whole < 100) text += "." + std::to_string(rest / (scale / 1024) * 10 / 1024);
    return text + kUnits[unit];
}

InputError::InputError(const std::filesystem::path& path, std::string problem, std::string hint)
    : std::runtime_error(sentence(path, problem, hint)), problem_(std::move(problem)), hint_(std::move(hint)) {}

void InputFile::read(std::uint64_t offset, std::span<std::byte> to) const {
    if (read_some(offset, to) != to.size())
        throw InputError(path_, "became shorter while it was read", "Open it again");
}

std::string read_text(const std::filesystem::path& path, Kind kind) {
    return read_all<std::string>(InputFile(path), kind);
}

std::vector<std::byte> read_bytes(const std::filesystem::path& path, Kind kind) {
    return read_bytes(InputFile(path), kind);
}

std::vector<std::byte> read_bytes(const InputFile& file, Kind kind) {
    return read_all<std::vector<std::byte>>(file, kind);
}

} // namespace warplight::files
