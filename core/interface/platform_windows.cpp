// SPDX-License-Identifier: Apache-2.0
#include "interface/platform.hpp"

#include "interface/input.hpp"
#include "warplight/error.hpp"
#include "warplight/file_io.hpp"

#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>

#include <cerrno>
#include <io.h>
#include <memory>
#include <system_error>

namespace warplight {

namespace detail {

File::File(const std::filesystem::path& path, bool write) : file_(_wfopen(path.c_str(), write ? L"wbx" : L"rb")) {}

int File::close() {
    int error = 0;
    if (std::fflush(file_) != 0) error = errno;
    if (!error && _commit(_fileno(file_)) != 0) error = errno;
    if (std::fclose(file_) != 0 && !error) error = errno;
    file_ = nullptr;
    return error;
}

unsigned long process_id() { return GetCurrentProcessId(); }

} // namespace detail

Shared<MappedFile> MappedFile::open(const FilePath& path) {
    const auto input = detail::open_input(path);
    const auto fail = [&] {
        throw driver::FileError(path.string(), "cannot be mapped: " +
                                                   std::system_category().message(static_cast<int>(GetLastError())));
    };
    std::shared_ptr<MappedFile> file(new MappedFile);
    if (input->size() != 0) {
        file->handle_ =
            CreateFileMappingW(reinterpret_cast<HANDLE>(input->handle()), nullptr, PAGE_READONLY, 0, 0, nullptr);
        if (!file->handle_) fail();
        file->data_ = static_cast<const std::byte*>(MapViewOfFile(file->handle_, FILE_MAP_READ, 0, 0, 0));
        if (!file->data_) fail();
        file->size_ = static_cast<std::size_t>(input->size());
    }
    return file;
}

MappedFile::~MappedFile() {
    if (data_) UnmapViewOfFile(data_);
    if (handle_) CloseHandle(handle_);
}

} // namespace warplight
