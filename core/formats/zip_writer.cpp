// SPDX-License-Identifier: Apache-2.0
#include "formats/zip_writer.hpp"

#include "warplight/error.hpp"

#include <cstddef>
#include <minizip/zip.h>
#include <string>
#include <utility>

namespace warplight::formats {
namespace {

OutputStream& output_stream(voidpf handle) { return *static_cast<OutputStream*>(handle); }

voidpf open_output(voidpf opaque, const void*, int) { return opaque; }
uLong read_output(voidpf, voidpf handle, void* to, uLong size) {
    return static_cast<uLong>(output_stream(handle).read({static_cast<std::byte*>(to), size}));
}
uLong write_output(voidpf, voidpf handle, const void* from, uLong size) {
    return output_stream(handle).write({static_cast<const std::byte*>(from), size}) ? size : 0;
}
ZPOS64_T place_in_output(voidpf, voidpf handle) { return output_stream(handle).place(); }
long seek_output(voidpf, voidpf handle, ZPOS64_T offset, int origin) {
    OutputStream& stream = output_stream(handle);
    const std::uint64_t from = origin == ZLIB_FILEFUNC_SEEK_SET   ? 0
                               : origin == ZLIB_FILEFUNC_SEEK_CUR ? stream.place()
                                                                  : stream.size();
    return stream.seek(from + offset) ? 0 : -1;
}
int close_output(voidpf, voidpf) { return 0; }
int error_of_output(voidpf, voidpf handle) { return output_stream(handle).failed() ? 1 : 0; }

} // namespace

ZipWriter::ZipWriter(files::NewFile& file) : stream_(file), path_(file.path().string()) {
    zlib_filefunc64_def functions{open_output, read_output,  write_output,    place_in_output,
                                  seek_output, close_output, error_of_output, &stream_};
    archive_ = zipOpen2_64("", APPEND_STATUS_CREATE, nullptr, &functions);
    check(archive_ ? ZIP_OK : ZIP_INTERNALERROR);
}

ZipWriter::~ZipWriter() {
    if (archive_) zipClose(archive_, nullptr);
}

void ZipWriter::check(int status) const {
    stream_.rethrow();
    if (status != ZIP_OK) throw driver::FileError(path_, "cannot be written as a zip archive");
}

void ZipWriter::open(const std::string& name, std::uint64_t size) {
    zip_fileinfo info{};
    info.dosDate = 1U << 21 | 1U << 16; // 1 January 1980, as NumPy writes it
    constexpr uLong utf8_name = 1U << 11, made_by = 20;
    constexpr std::uint64_t most_of_plain_zip = 0xfffffffe;
    check(zipOpenNewFileInZip4_64(archive_, name.c_str(), &info, nullptr, 0, nullptr, 0, nullptr, 0, 0, 0, -MAX_WBITS,
                                  MAX_MEM_LEVEL, 0, nullptr, 0, made_by, utf8_name, size > most_of_plain_zip ? 1 : 0));
}

void ZipWriter::write(std::span<const std::byte> bytes) {
    check(zipWriteInFileInZip(archive_, bytes.data(), static_cast<unsigned>(bytes.size())));
}

void ZipWriter::close() { check(zipCloseFileInZip(archive_)); }

void ZipWriter::finish() { check(zipClose(std::exchange(archive_, nullptr), nullptr)); }

} // namespace warplight::formats
