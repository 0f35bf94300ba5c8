// SPDX-License-Identifier: Apache-2.0
#include "formats/npz.hpp"

#include "warplight/error.hpp"
#include "warplight/npy.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#ifdef WARPLIGHT_HAS_NPZ
#include "formats/choose_member.hpp"
#include "formats/zip_reader.hpp"
#include "formats/zip_writer.hpp"
#include "interface/input.hpp"
#endif

namespace warplight::formats {

#ifdef WARPLIGHT_HAS_NPZ
namespace {

constexpr std::string_view kNpyEnding = ".npy";
constexpr std::size_t kLongestNpyHeader = (std::size_t{1} << 20) + 12;

std::string member_name(std::string_view entry) {
    if (entry.ends_with(kNpyEnding)) entry.remove_suffix(kNpyEnding.size());
    return std::string(entry);
}

/// The head of the entry that was just opened; `bytes` gets what was read for it.
NpyHeader read_npy_head(ZipReader& zip, const std::string& name, std::vector<std::byte>& bytes) {
    constexpr std::size_t first = 12;
    bytes.resize(first);
    bytes.resize(zip.read(bytes));
    if (bytes.size() == first) {
        const auto byte = [&](std::size_t i) { return static_cast<std::size_t>(bytes[i]); };
        const std::size_t length = byte(8) | byte(9) << 8 | (byte(6) > 1 ? byte(10) << 16 | byte(11) << 24 : 0);
        const std::size_t whole = std::min((byte(6) > 1 ? 12 : 10) + length, kLongestNpyHeader);
        if (whole > first) {
            bytes.resize(whole);
            bytes.resize(first + zip.read(std::span(bytes).subspan(first)));
        }
    }
    return parse_npy_header(bytes, name);
}

/// What messages call an array of a file.
std::string name_in(const std::filesystem::path& file, const std::string& member) {
    return fmt::format("{} of {}", member, file.string());
}

std::size_t find_entry(const ZipReader& zip, const std::filesystem::path& file, const std::string& member) {
    std::vector<std::string> names;
    names.reserve(zip.entries().size());
    for (const ZipEntry& entry : zip.entries())
        names.push_back(member_name(entry.name));
    return choose_member(file, names, member_name(member), "array");
}

/// The bytes of an entry whose array does not lie in it as it would in memory.
NdArray read_converted(ZipReader& zip, const std::string& name, std::vector<std::byte> bytes, std::uint64_t size) {
    const std::size_t head = bytes.size();
    bytes.resize(static_cast<std::size_t>(size));
    bytes.resize(head + zip.read(std::span(bytes).subspan(head)));
    NdArray array = parse_npy(bytes, name);
    zip.finish();
    return array;
}

} // namespace

std::vector<Member> npz_members(const std::filesystem::path& path) {
    return detail::with_file_errors(path.string(), [&] {
        const files::InputFile file(path);
        ZipReader zip(file);
        std::vector<Member> members;
        members.reserve(zip.entries().size());
        for (std::size_t i = 0; i < zip.entries().size(); ++i) {
            Member member{member_name(zip.entries()[i].name), std::nullopt, {}};
            try {
                zip.open(i);
                std::vector<std::byte> bytes;
                const NpyHeader header = read_npy_head(zip, path.string(), bytes);
                if (header.object)
                    member.problem = "holds Python objects, which only Python can read";
                else
                    member.head = ArrayHead{header.dtype, header.shape};
            } catch (const FileError& error) {
                member.problem = error.info().text;
            }
            members.push_back(std::move(member));
        }
        return members;
    });
}

ArrayHead npz_head(const std::filesystem::path& path, const std::string& member) {
    return detail::with_file_errors(path.string(), [&] {
        const files::InputFile file(path);
        ZipReader zip(file);
        const std::size_t index = find_entry(zip, path, member);
        zip.open(index);
        std::vector<std::byte> bytes;
        const NpyHeader header = read_npy_head(zip, name_in(path, zip.entries()[index].name), bytes);
        return ArrayHead{header.dtype, header.shape};
    });
}

NdArray read_npz(const std::filesystem::path& path, const std::string& member, const FitsMemory& fits) {
    return detail::with_file_errors(path.string(), [&] {
        const files::InputFile file(path);
        ZipReader zip(file);
        const std::size_t index = find_entry(zip, path, member);
        const ZipEntry& entry = zip.entries()[index];
        const std::string name = name_in(path, entry.name);
        zip.open(index);
        std::vector<std::byte> bytes;
        const NpyHeader header = read_npy_head(zip, name, bytes);
        if (header.object)
            throw FileError(name, "holds Python objects, which only Python can read",
                            "Save it with a numeric dtype: array.astype(...)");
        if (entry.size < header.data_offset || entry.size - header.data_offset < header.nbytes)
            throw FileError(name, fmt::format("is cut short: it announces {} bytes of data", header.nbytes));
        fits(header.nbytes);
        // Of a short head more was read than the head.
        if (header.big_endian || bytes.size() != header.data_offset)
            return read_converted(zip, name, std::move(bytes), entry.size);
        NdArray array = NdArray::empty(header.shape, header.dtype, header.fortran_order ? Order::F : Order::C);
        if (zip.read({array.mutable_data(), header.nbytes}) != header.nbytes)
            throw FileError(name, fmt::format("is cut short: it announces {} bytes of data", header.nbytes));
        zip.finish();
        return array;
    });
}

void check_npz(const std::filesystem::path&) {}

void write_npz(files::NewFile& out, std::span<const OutputArray> arrays, const Step& step) {
    ZipWriter zip(out);
    for (const OutputArray& array : arrays) {
        const std::string header = npy_header_of(array);
        zip.open(array.name + std::string(kNpyEnding), header.size() + size_of(array) * array.dtype.itemsize());
        zip.write(std::as_bytes(std::span(header)));
        each_piece(array, step, [&](std::span<const std::byte> piece) { zip.write(piece); });
        zip.close();
    }
    zip.finish();
}

#else
namespace {

[[noreturn]] void refuse_npz(const std::filesystem::path& file, const char* what) {
    throw FileError(file.string(), fmt::format("cannot be {}: this build has no support of .npz files", what),
                    "Use .npy files, or a build with minizip");
}

} // namespace

std::vector<Member> npz_members(const std::filesystem::path& file) { refuse_npz(file, "read"); }
ArrayHead npz_head(const std::filesystem::path& file, const std::string&) { refuse_npz(file, "read"); }
NdArray read_npz(const std::filesystem::path& file, const std::string&, const FitsMemory&) { refuse_npz(file, "read"); }
void check_npz(const std::filesystem::path& file) { refuse_npz(file, "written"); }
void write_npz(files::NewFile& out, std::span<const OutputArray>, const Step&) { refuse_npz(out.path(), "written"); }
#endif

} // namespace warplight::formats
