// SPDX-License-Identifier: Apache-2.0
#include "warplight/npy.hpp"

#include "interface/input.hpp"
#include "interface/npy_header.hpp"
#include "warplight/error.hpp"
#include "warplight/file_io.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

namespace warplight {

using driver::FileError;

namespace {

/// Magic string, version and the longest header length field.
constexpr std::size_t kPrefix = 12;
constexpr std::size_t kLongestHeader = std::size_t{1} << 20;

void swap_bytes(std::byte* data, std::size_t count, std::size_t size) {
    for (std::size_t i = 0; i < count; ++i, data += size)
        std::reverse(data, data + size);
}

void check_readable(const NpyHeader& header, std::size_t file_size, const std::string& name) {
    if (header.object)
        throw FileError(name, "holds Python objects, which only Python can read",
                        "Save it with a numeric dtype: array.astype(...)");
    if (file_size < header.data_offset || file_size - header.data_offset < header.nbytes)
        throw FileError(name, "is cut short: its header announces " + std::to_string(header.nbytes) +
                                  " bytes of data, there are " +
                                  std::to_string(file_size - std::min(file_size, header.data_offset)));
}

NdArray wrap_data(const NpyHeader& header, const std::byte* data, Shared<ArrayOwner> owner) {
    return NdArray::wrap(const_cast<std::byte*>(data), header.shape, header.dtype,
                         header.fortran_order ? Order::F : Order::C, std::move(owner), false);
}

/// An array of the header's shape in the host's byte order. `fill` writes the bytes of the file into memory.
template <class Fill>
NdArray make_array(const NpyHeader& header, const Fill& fill) {
    NdArray array = NdArray::empty(header.shape, header.dtype, header.fortran_order ? Order::F : Order::C);
    if (array.size() == 0) return array;
    fill(std::span(array.mutable_data(), header.nbytes));
    if (header.big_endian) {
        const bool complex = header.dtype.kind() == Kind::complex;
        const std::size_t parts = complex ? 2 : 1;
        swap_bytes(array.mutable_data(), array.size() * parts, header.dtype.itemsize() / parts);
    }
    return array;
}

NdArray copy_data(const NpyHeader& header, std::span<const std::byte> bytes) {
    return make_array(
        header, [&](std::span<std::byte> to) { std::memcpy(to.data(), bytes.data() + header.data_offset, to.size()); });
}

std::size_t header_length(std::span<const std::byte> bytes, bool wide) {
    const auto byte = [&](std::size_t i) { return static_cast<std::size_t>(bytes[i]); };
    return byte(8) | byte(9) << 8 | (wide ? byte(10) << 16 | byte(11) << 24 : 0);
}

/// The bytes of the file up to the end of its header, as far as they are there.
std::vector<std::byte> read_head(const files::InputFile& file) {
    std::vector<std::byte> head(kPrefix);
    head.resize(file.read_some(0, head));
    if (head.size() < kPrefix) return head;
    const bool wide = head[6] != std::byte{1};
    const std::size_t length = header_length(head, wide);
    if (length > kLongestHeader) return head;
    head.resize((wide ? kPrefix : 10) + length);
    head.resize(file.read_some(0, head));
    return head;
}

} // namespace

NpyHeader parse_npy_header(std::span<const std::byte> bytes, const std::string& name) {
    const auto byte = [&](std::size_t i) { return static_cast<std::size_t>(bytes[i]); };
    if (bytes.size() < 10 || std::memcmp(bytes.data(), "\x93NUMPY", 6) != 0)
        throw FileError(name, bytes.empty() ? "is empty" : "is no .npy file");
    NpyHeader header;
    header.version = static_cast<int>(byte(6));
    if (header.version < 1 || header.version > 3)
        throw FileError(name, "has .npy format version " + std::to_string(header.version) + "." +
                                  std::to_string(byte(7)) + "; versions 1 to 3 can be read");
    const bool wide = header.version > 1;
    if (bytes.size() < (wide ? kPrefix : 10)) throw FileError(name, "ends inside of its header");
    const std::size_t start = wide ? 12 : 10;
    const std::size_t length = header_length(bytes, wide);
    if (length > kLongestHeader) throw FileError(name, "has a damaged header: its length cannot be right");
    if (bytes.size() - start < length) throw FileError(name, "ends inside of its header");
    header.data_offset = start + length;
    try {
        detail::parse_npy_dictionary({reinterpret_cast<const char*>(bytes.data()) + start, length}, header);
    } catch (const driver::LogicError& error) {
        throw FileError(name, "has a damaged header: " + error.info().text, error.hint());
    }
    return header;
}

NpyHeader read_npy_header(const FilePath& path) {
    return detail::with_file_errors(path.string(), [&] { return detail::read_npy_header(files::InputFile(path)); });
}

NpyHeader detail::read_npy_header(const files::InputFile& file) {
    const std::string name = file.path().string();
    NpyHeader header = parse_npy_header(read_head(file), name);
    if (!header.object) check_readable(header, static_cast<std::size_t>(file.size()), name);
    return header;
}

NdArray load_npy(const FilePath& path) {
    return detail::with_file_errors(path.string(), [&] {
        const files::InputFile file(path);
        const NpyHeader header = detail::read_npy_header(file);
        check_readable(header, static_cast<std::size_t>(file.size()), path.string());
        return make_array(header, [&](std::span<std::byte> to) { file.read(header.data_offset, to); });
    });
}

NdArray parse_npy(std::span<const std::byte> bytes, const std::string& name) {
    const NpyHeader header = parse_npy_header(bytes, name);
    check_readable(header, bytes.size(), name);
    return copy_data(header, bytes);
}

NdArray open_npy(const FilePath& path) {
    auto file = MappedFile::open(path);
    const auto bytes = file->bytes();
    const NpyHeader header = parse_npy_header(bytes, path.string());
    check_readable(header, bytes.size(), path.string());
    // Big-endian data must be converted, and elements of a hand-made file may lie at odd addresses.
    const std::size_t alignment = header.dtype.is_numeric() ? std::min<std::size_t>(header.dtype.itemsize(), 8) : 1;
    if (header.big_endian || header.data_offset % alignment != 0) return copy_data(header, bytes).as_readonly();
    return wrap_data(header, bytes.data() + header.data_offset, std::move(file));
}

std::string make_npy_header(const NdArray& array) {
    const DType& dtype = array.dtype();
    std::string descr = dtype.descr().empty() ? "'" + dtype.typestr() + "'" : dtype.descr();
    if (!dtype.descr().empty() && !descr.starts_with('[')) descr = "'" + descr + "'";
    std::string dictionary = "{'descr': " + descr +
                             ", 'fortran_order': " + (array.order() == Order::F ? "True" : "False") +
                             ", 'shape': " + to_string(array.shape()) + ", }";
    // Padded so that the data starts at a multiple of 64 bytes.
    const bool wide = dictionary.size() + 1 + 10 + 63 > 65535;
    const std::size_t start = wide ? 12 : 10;
    const std::size_t total = (start + dictionary.size() + 1 + 63) / 64 * 64;
    dictionary.append(total - start - dictionary.size() - 1, ' ');
    dictionary += '\n';
    std::string header = "\x93NUMPY";
    header += wide ? '\2' : '\1';
    header += '\0';
    const std::size_t length = dictionary.size();
    for (std::size_t i = 0; i < (wide ? 4u : 2u); ++i)
        header += static_cast<char>(length >> (8 * i) & 0xff);
    return header + dictionary;
}

void save_npy(const FilePath& path, const NdArray& array) {
    const NdArray packed = array.is_contiguous() ? array : array.copy();
    const std::string header = make_npy_header(packed);
    write_file_atomically(path, {std::as_bytes(std::span(header)), packed.bytes()});
}

} // namespace warplight
