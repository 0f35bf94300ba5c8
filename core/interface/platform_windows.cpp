// SPDX-License-Identifier: Apache-2.0
#include "interface/platform.hpp"

#include "warplight/error.hpp"
#include "warplight/file_io.hpp"

#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>

#include <algorithm>
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

RandomFile::RandomFile(const std::filesystem::path& path) : name_(path.string()) {
    const HANDLE handle = CreateFileW(path.c_str(), GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_DELETE, nullptr,
                                      OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
    LARGE_INTEGER size{};
    if (handle == INVALID_HANDLE_VALUE || !GetFileSizeEx(handle, &size)) {
        const int error = static_cast<int>(GetLastError());
        if (handle != INVALID_HANDLE_VALUE) CloseHandle(handle);
        throw driver::FileError(name_, "cannot be opened: " + std::system_category().message(error));
    }
    handle_ = reinterpret_cast<std::intptr_t>(handle);
    size_ = static_cast<std::uint64_t>(size.QuadPart);
}

RandomFile::~RandomFile() { CloseHandle(reinterpret_cast<HANDLE>(handle_)); }

void RandomFile::read(std::uint64_t offset, std::span<std::byte> to) const {
    while (!to.empty()) {
        OVERLAPPED place{};
        place.Offset = static_cast<DWORD>(offset);
        place.OffsetHigh = static_cast<DWORD>(offset >> 32);
        const auto most = static_cast<DWORD>(std::min<std::size_t>(to.size(), std::size_t{1} << 30));
        DWORD bytes = 0;
        if (!ReadFile(reinterpret_cast<HANDLE>(handle_), to.data(), most, &bytes, &place)) {
            const int error = static_cast<int>(GetLastError());
            throw driver::FileError(name_, error == ERROR_HANDLE_EOF
                                               ? "ends before its size"
                                               : "cannot be read: " + std::system_category().message(error));
        }
        if (bytes == 0) throw driver::FileError(name_, "ends before its size");
        to = to.subspan(bytes);
        offset += bytes;
    }
}

unsigned long process_id() { return GetCurrentProcessId(); }

} // namespace detail

Shared<MappedFile> MappedFile::open(const FilePath& file_path) {
    const std::filesystem::path path = file_path;
    const auto fail = [&] {
        throw driver::FileError(path.string(), "cannot be opened: " +
                                                   std::system_category().message(static_cast<int>(GetLastError())));
    };
    const HANDLE handle = CreateFileW(path.c_str(), GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_DELETE, nullptr,
                                      OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
    if (handle == INVALID_HANDLE_VALUE) fail();
    struct Closer {
        HANDLE handle;
        ~Closer() { CloseHandle(handle); }
    } closer{handle};
    LARGE_INTEGER size{};
    if (!GetFileSizeEx(handle, &size)) fail();
    std::shared_ptr<MappedFile> file(new MappedFile);
    if (size.QuadPart) {
        file->handle_ = CreateFileMappingW(handle, nullptr, PAGE_READONLY, 0, 0, nullptr);
        if (!file->handle_) fail();
        file->data_ = static_cast<const std::byte*>(MapViewOfFile(file->handle_, FILE_MAP_READ, 0, 0, 0));
        if (!file->data_) fail();
        file->size_ = static_cast<std::size_t>(size.QuadPart);
    }
    return file;
}

MappedFile::~MappedFile() {
    if (data_) UnmapViewOfFile(data_);
    if (handle_) CloseHandle(handle_);
}

} // namespace warplight
