// SPDX-License-Identifier: Apache-2.0
#include "files/input_file.hpp"
#include "files/paths.hpp"

#include <windows.h>

#include <algorithm>
#include <system_error>

namespace warplight::files {
namespace {

HANDLE system_handle(std::intptr_t handle) { return reinterpret_cast<HANDLE>(handle); }

[[noreturn]] void refuse_error(const std::filesystem::path& path, const char* what, DWORD error) {
    if (error == ERROR_FILE_NOT_FOUND || error == ERROR_PATH_NOT_FOUND) throw InputError(path, "no such file");
    throw InputError(path, what + (": " + std::system_category().message(static_cast<int>(error))));
}

} // namespace

InputFile::InputFile(const std::filesystem::path& path) : path_(path) {
    // A device may wait as soon as it is opened.
    if (const auto problem = path_problem(path); !problem.empty()) throw InputError(path, problem);
    const DWORD attributes = GetFileAttributesW(path.c_str());
    if (attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0)
        throw InputError(path, "is a folder");
    const HANDLE handle =
        CreateFileW(path.c_str(), GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
                    OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
    if (handle == INVALID_HANDLE_VALUE) refuse_error(path, "cannot be opened", GetLastError());
    const DWORD type = GetFileType(handle);
    LARGE_INTEGER size{};
    if (type != FILE_TYPE_DISK) {
        CloseHandle(handle);
        throw InputError(path, type == FILE_TYPE_PIPE ? "is a pipe, not a file" : "is a device, not a file",
                         "Give a regular file");
    }
    if (!GetFileSizeEx(handle, &size)) {
        const DWORD error = GetLastError();
        CloseHandle(handle);
        refuse_error(path, "cannot be opened", error);
    }
    handle_ = reinterpret_cast<std::intptr_t>(handle);
    size_ = static_cast<std::uint64_t>(size.QuadPart);
}

InputFile::~InputFile() { CloseHandle(system_handle(handle_)); }

std::size_t InputFile::read_some(std::uint64_t offset, std::span<std::byte> to) const {
    std::size_t done = 0;
    while (done < to.size()) {
        OVERLAPPED place{};
        place.Offset = static_cast<DWORD>(offset + done);
        place.OffsetHigh = static_cast<DWORD>((offset + done) >> 32);
        const auto most = static_cast<DWORD>(std::min<std::size_t>(to.size() - done, std::size_t{1} << 30));
        DWORD count = 0;
        if (!ReadFile(system_handle(handle_), to.data() + done, most, &count, &place)) {
            const DWORD error = GetLastError();
            if (error == ERROR_HANDLE_EOF) break;
            refuse_error(path_, "cannot be read", error);
        }
        if (count == 0) break;
        done += count;
    }
    return done;
}

void InputFile::will_read_in_order() const noexcept {} // there it is chosen when a file is opened

} // namespace warplight::files
