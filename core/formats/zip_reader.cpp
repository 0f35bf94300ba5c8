// SPDX-License-Identifier: Apache-2.0
#include "formats/zip_reader.hpp"

#include "formats/plain_name.hpp"
#include "warplight/error.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <fmt/format.h>
#include <memory>
#include <minizip/unzip.h>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace warplight::formats {

/// The archive as minizip reads it. No exception may pass through the library.
struct ZipInput {
    const files::InputFile& file;
    std::uint64_t place = 0;
    std::optional<files::InputError> problem = std::nullopt;
};

namespace {

/// Deflate packs 1032 bytes into one at best.
constexpr std::uint64_t kMostUnfolding = 1032;
constexpr std::uint64_t kRoomForNothing = 1024;
constexpr std::size_t kMostEntries = std::size_t{1} << 16;
constexpr std::size_t kLongestName = 4096;
constexpr std::size_t kMostAtOnce = std::size_t{1} << 28; // the library counts in an int

ZipInput& stream_of(voidpf handle) { return *static_cast<ZipInput*>(handle); }

voidpf open_stream(voidpf opaque, const void*, int) { return opaque; }

uLong read_stream(voidpf, voidpf handle, void* to, uLong size) {
    ZipInput& stream = stream_of(handle);
    try {
        const auto count = stream.file.read_some(stream.place, {static_cast<std::byte*>(to), size});
        stream.place += count;
        return static_cast<uLong>(count);
    } catch (const files::InputError& error) {
        stream.problem = error;
        return 0;
    }
}

uLong write_nothing(voidpf, voidpf, const void*, uLong) { return 0; }

ZPOS64_T place_in_stream(voidpf, voidpf handle) { return stream_of(handle).place; }

long seek_stream(voidpf, voidpf handle, ZPOS64_T offset, int origin) {
    ZipInput& stream = stream_of(handle);
    const std::uint64_t from = origin == ZLIB_FILEFUNC_SEEK_SET   ? 0
                               : origin == ZLIB_FILEFUNC_SEEK_CUR ? stream.place
                                                                  : stream.file.size();
    if (offset > stream.file.size() || from > stream.file.size() - offset) return -1;
    stream.place = from + offset;
    return 0;
}

int close_stream(voidpf, voidpf) { return 0; }
int error_of_stream(voidpf, voidpf handle) { return stream_of(handle).problem ? 1 : 0; }

} // namespace

struct ZipReader::State {
    explicit State(const files::InputFile& file) : stream{file} {}
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() {
        close();
        if (archive) unzClose(archive);
    }
    void close() {
        if (std::exchange(is_open, false)) unzCloseCurrentFile(archive);
    }

    ZipInput stream;
    unzFile archive = nullptr;
    std::vector<unz64_file_pos> places = {};
    bool is_open = false;

    [[noreturn]] void refuse(const std::string& problem, const std::string& hint = {}) const {
        const std::string path = stream.file.path().string();
        if (stream.problem) throw driver::FileError(path, stream.problem->problem(), stream.problem->hint());
        throw driver::FileError(path, problem, hint);
    }
};

ZipReader::ZipReader(const files::InputFile& file) : state_(std::make_unique<State>(file)) {
    zlib_filefunc64_def functions{open_stream, read_stream,  write_nothing,   place_in_stream,
                                  seek_stream, close_stream, error_of_stream, &state_->stream};
    state_->archive = unzOpen2_64("", &functions);
    if (!state_->archive)
        state_->refuse("is no .npz file, or is cut short: a zip archive has its list of contents at its end");
    std::array<char, kLongestName + 1> name{};
    int status = unzGoToFirstFile(state_->archive);
    for (; status == UNZ_OK; status = unzGoToNextFile(state_->archive)) {
        if (entries_.size() == kMostEntries) state_->refuse("has more than 65536 entries");
        unz_file_info64 info{};
        unz64_file_pos place{};
        if (unzGetCurrentFileInfo64(state_->archive, &info, name.data(), kLongestName, nullptr, 0, nullptr, 0) !=
                UNZ_OK ||
            unzGetFilePos64(state_->archive, &place) != UNZ_OK)
            state_->refuse("is damaged: its list of contents cannot be read");
        if (info.size_filename > kLongestName) state_->refuse("is damaged: an entry has too long a name");
        constexpr uLong named_in_utf8 = 1U << 11;
        ZipEntry entry{plain_name({name.data(), info.size_filename},
                                  info.flag & named_in_utf8 ? NameBytes::utf8 : NameBytes::unknown),
                       info.uncompressed_size};
        if (info.compressed_size > file.size() ||
            info.uncompressed_size / kMostUnfolding > info.compressed_size + kRoomForNothing)
            state_->refuse(fmt::format("is damaged: {} cannot unfold to the {} that it announces", entry.name,
                                       files::size_text(entry.size)));
        entries_.push_back(std::move(entry));
        state_->places.push_back(place);
    }
    unz_global_info64 all{};
    const bool empty = unzGetGlobalInfo64(state_->archive, &all) == UNZ_OK && all.number_entry == 0;
    if (status != UNZ_END_OF_LIST_OF_FILE && !empty) state_->refuse("is damaged: its list of contents cannot be read");
}

ZipReader::~ZipReader() = default;

void ZipReader::open(std::size_t index) {
    state_->close();
    current_ = index;
    if (unzGoToFilePos64(state_->archive, &state_->places[index]) != UNZ_OK)
        state_->refuse("is damaged: its list of contents cannot be read");
    unz_file_info64 info{};
    unzGetCurrentFileInfo64(state_->archive, &info, nullptr, 0, nullptr, 0, nullptr, 0);
    const std::string& name = entries_[index].name;
    constexpr uLong encrypted = 1, deflated = 8;
    if (info.flag & encrypted)
        state_->refuse(fmt::format("cannot be read: {} is encrypted", name), "Save it without a password");
    if (info.compression_method != 0 && info.compression_method != deflated)
        state_->refuse(fmt::format("cannot be read: {} is packed by method {}", name, info.compression_method),
                       "Save it with numpy.savez_compressed, which packs by method 8");
    if (unzOpenCurrentFile(state_->archive) != UNZ_OK) state_->refuse(fmt::format("is damaged at {}", name));
    state_->is_open = true;
}

std::size_t ZipReader::read(std::span<std::byte> to) {
    std::size_t done = 0;
    while (done < to.size()) {
        const auto most = static_cast<unsigned>(std::min(to.size() - done, kMostAtOnce));
        const int count = unzReadCurrentFile(state_->archive, to.data() + done, most);
        if (count < 0) state_->refuse(fmt::format("is damaged: {} cannot be unpacked", entries_[current_].name));
        if (count == 0) break;
        done += static_cast<std::size_t>(count);
    }
    return done;
}

void ZipReader::finish() {
    std::array<std::byte, 16384> rest;
    while (read(rest) != 0) {
    }
    state_->is_open = false;
    if (unzCloseCurrentFile(state_->archive) != UNZ_OK)
        state_->refuse(fmt::format("is damaged: the checksum of {} is wrong", entries_[current_].name));
}

} // namespace warplight::formats
