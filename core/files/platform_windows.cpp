// SPDX-License-Identifier: Apache-2.0
// Folders of Windows' users are private by their access lists, and the temporary folder is one of them. So only links
// are looked for here. A file is held by an open handle that does not share it.
#include "files/platform.hpp"

#include "files/paths.hpp"

#include <windows.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

namespace warplight::files::platform {
namespace fs = std::filesystem;
namespace {

constexpr const wchar_t* kHeldName = L".warplight-open";

HANDLE native(const Handle& handle) { return reinterpret_cast<HANDLE>(handle.get()); }

std::error_code last_error() { return {static_cast<int>(GetLastError()), std::system_category()}; }

/// INVALID_HANDLE_VALUE is -1, a Handle that is not open.
Handle open_path(const fs::path& path, DWORD access, DWORD share, DWORD disposition, DWORD flags) {
    return Handle(reinterpret_cast<std::intptr_t>(
        CreateFileW(path.c_str(), access, share, nullptr, disposition, flags, nullptr)));
}

bool is_plain_file(const Handle& handle) {
    BY_HANDLE_FILE_INFORMATION information{};
    constexpr DWORD others = FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_REPARSE_POINT;
    return GetFileType(native(handle)) == FILE_TYPE_DISK && GetFileInformationByHandle(native(handle), &information) &&
           !(information.dwFileAttributes & others);
}

} // namespace

Handle& Handle::operator=(Handle&& other) noexcept {
    if (this != &other) {
        close();
        value_ = std::exchange(other.value_, kNone);
    }
    return *this;
}

void Handle::close() {
    if (value_ != kNone) CloseHandle(reinterpret_cast<HANDLE>(std::exchange(value_, kNone)));
}

std::error_code File::write(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const auto most = static_cast<DWORD>(std::min<std::size_t>(bytes.size(), std::size_t{1} << 30));
        DWORD count = 0;
        if (!WriteFile(native(handle_), bytes.data(), most, &count, nullptr)) return last_error();
        bytes = bytes.subspan(count);
    }
    return {};
}

namespace {

/// Reading and writing at a place moves the place of what comes next, too.
bool go_to(HANDLE file, std::uint64_t offset, DWORD from = FILE_BEGIN) {
    LARGE_INTEGER distance{};
    distance.QuadPart = static_cast<LONGLONG>(offset);
    return SetFilePointerEx(file, distance, nullptr, from);
}

} // namespace

std::error_code File::write_at(std::uint64_t offset, std::span<const std::byte> bytes) {
    if (!go_to(native(handle_), offset)) return last_error();
    if (const auto error = write(bytes)) return error;
    return go_to(native(handle_), 0, FILE_END) ? std::error_code() : last_error();
}

std::error_code File::read_at(std::uint64_t offset, std::span<std::byte> to) const {
    if (!go_to(native(handle_), offset)) return last_error();
    while (!to.empty()) {
        const auto most = static_cast<DWORD>(std::min<std::size_t>(to.size(), std::size_t{1} << 30));
        DWORD count = 0;
        if (!ReadFile(native(handle_), to.data(), most, &count, nullptr)) return last_error();
        if (count == 0) return std::make_error_code(std::errc::io_error);
        to = to.subspan(count);
    }
    return go_to(native(handle_), 0, FILE_END) ? std::error_code() : last_error();
}

std::error_code File::sync() { return FlushFileBuffers(native(handle_)) ? std::error_code() : last_error(); }

bool File::read(std::string& to) {
    LARGE_INTEGER size{};
    if (!GetFileSizeEx(native(handle_), &size)) return false;
    to.resize(static_cast<std::size_t>(size.QuadPart));
    std::size_t done = 0;
    while (done < to.size()) {
        const auto most = static_cast<DWORD>(std::min<std::size_t>(to.size() - done, std::size_t{1} << 30));
        DWORD count = 0;
        if (!ReadFile(native(handle_), to.data() + done, most, &count, nullptr) || count == 0) return false;
        done += count;
    }
    return true;
}

void File::touch() {
    FILETIME now{};
    GetSystemTimeAsFileTime(&now);
    SetFileTime(native(handle_), nullptr, nullptr, &now);
}

Folder Folder::open(const fs::path& path, Owner owner, std::string& problem) {
    Folder folder;
    const fs::path absolute = files::absolute(path.empty() ? fs::path(".") : path);
    const DWORD links = owner == Owner::anybody ? 0 : FILE_FLAG_OPEN_REPARSE_POINT;
    Handle handle = open_path(absolute, FILE_READ_ATTRIBUTES, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                              OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS | links);
    BY_HANDLE_FILE_INFORMATION information{};
    if (!handle.is_open() || !GetFileInformationByHandle(native(handle), &information)) {
        problem = "cannot be opened: " + last_error().message();
        return folder;
    }
    const DWORD kind = information.dwFileAttributes & (FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_REPARSE_POINT);
    if (links ? kind != FILE_ATTRIBUTE_DIRECTORY : !(kind & FILE_ATTRIBUTE_DIRECTORY)) {
        problem = "is no folder of its own: a link or a file is there";
        return folder;
    }
    folder.handle_ = std::move(handle);
    folder.path_ = absolute;
    return folder;
}

File Folder::create(const fs::path& name, bool, std::error_code& error) const {
    // Sharing DELETE lets it be renamed while it is open.
    Handle handle = open_path(path_ / name, GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_DELETE,
                              CREATE_NEW, FILE_ATTRIBUTE_NORMAL);
    error = handle.is_open() ? std::error_code() : last_error();
    if (error.value() == ERROR_FILE_EXISTS) error = std::make_error_code(std::errc::file_exists);
    return File(std::move(handle));
}

File Folder::open_file(const fs::path& name) const {
    Handle handle = open_path(path_ / name, GENERIC_READ | FILE_WRITE_ATTRIBUTES,
                              FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, OPEN_EXISTING,
                              FILE_ATTRIBUTE_NORMAL | FILE_FLAG_OPEN_REPARSE_POINT);
    return handle.is_open() && is_plain_file(handle) ? File(std::move(handle)) : File();
}

std::error_code Folder::rename(const fs::path& from, const fs::path& to) const {
    const bool done = MoveFileExW((path_ / from).c_str(), (path_ / to).c_str(), MOVEFILE_REPLACE_EXISTING) != 0;
    return done ? std::error_code() : last_error();
}

void Folder::remove(const fs::path& name) const { DeleteFileW((path_ / name).c_str()); }

void Folder::remove_unheld(const fs::path& name) const {
    const Handle handle = open_path(path_ / name, GENERIC_READ | DELETE, 0, OPEN_EXISTING,
                                    FILE_ATTRIBUTE_NORMAL | FILE_FLAG_OPEN_REPARSE_POINT);
    if (!handle.is_open() || !is_plain_file(handle)) return;
    FILE_DISPOSITION_INFO gone{TRUE};
    SetFileInformationByHandle(native(handle), FileDispositionInfo, &gone, sizeof gone);
}

bool Folder::contains(const fs::path& name) const {
    return GetFileAttributesW((path_ / name).c_str()) != INVALID_FILE_ATTRIBUTES;
}

void Folder::each_name(const std::function<void(const fs::path&)>& call) const {
    // The library's iterator lists another folder where the path is long.
    WIN32_FIND_DATAW found{};
    const HANDLE search = FindFirstFileW((path_ / L"*").c_str(), &found);
    if (search == INVALID_HANDLE_VALUE) return;
    std::vector<fs::path> names;
    do {
        const std::wstring_view name = found.cFileName;
        if (name != L"." && name != L"..") names.emplace_back(name);
    } while (FindNextFileW(search, &found));
    FindClose(search);
    for (const auto& name : names)
        call(name);
}

bool Folder::status(const fs::path& name, Entry& entry) const {
    WIN32_FILE_ATTRIBUTE_DATA data{};
    if (!GetFileAttributesExW((path_ / name).c_str(), GetFileExInfoStandard, &data)) return false;
    if (data.dwFileAttributes & (FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_REPARSE_POINT)) return false;
    entry.name = name;
    entry.size = (std::uint64_t{data.nFileSizeHigh} << 32) | data.nFileSizeLow;
    entry.changed = static_cast<std::int64_t>((std::uint64_t{data.ftLastWriteTime.dwHighDateTime} << 32) |
                                              data.ftLastWriteTime.dwLowDateTime);
    return true;
}

Hold Folder::hold() const {
    // The file goes with its handle, also when the process is ended.
    held_ = open_path(path_ / kHeldName, GENERIC_WRITE, 0, OPEN_ALWAYS, FILE_FLAG_DELETE_ON_CLOSE);
    if (held_.is_open()) return Hold::held;
    return GetLastError() == ERROR_SHARING_VIOLATION ? Hold::taken : Hold::impossible;
}

bool Folder::is_at(const fs::path& path) const { return GetFileAttributesW(path.c_str()) != INVALID_FILE_ATTRIBUTES; }

std::error_code make_private_folder(const fs::path& path) {
    if (CreateDirectoryW(path.c_str(), nullptr)) return {};
    return GetLastError() == ERROR_ALREADY_EXISTS ? std::make_error_code(std::errc::file_exists) : last_error();
}

std::filesystem::path user_data_folder() {
    if (const wchar_t* local = _wgetenv(L"LOCALAPPDATA"); local && *local) return local;
    return {};
}

std::filesystem::path user_config_folder() { return user_data_folder(); }

std::string user_name_part() { return "user"; }

} // namespace warplight::files::platform
