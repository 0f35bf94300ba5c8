// SPDX-License-Identifier: Apache-2.0
#include "remote/file_stamp.hpp"

#include <chrono>
#include <windows.h>

namespace warplight::remote {
namespace {

/// In 100 ns since 1601.
std::int64_t ticks(const FILETIME& time) {
    return static_cast<std::int64_t>(std::uint64_t{time.dwHighDateTime} << 32 | time.dwLowDateTime);
}

} // namespace

std::optional<FileStamp> stamp_of(const std::filesystem::path& file) {
    const HANDLE handle =
        CreateFileW(file.c_str(), FILE_READ_ATTRIBUTES, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
                    OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, nullptr);
    if (handle == INVALID_HANDLE_VALUE) return std::nullopt;
    BY_HANDLE_FILE_INFORMATION about{};
    const bool known = GetFileType(handle) == FILE_TYPE_DISK && GetFileInformationByHandle(handle, &about) &&
                       !(about.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY);
    CloseHandle(handle);
    if (!known) return std::nullopt;
    return FileStamp{.size = std::uint64_t{about.nFileSizeHigh} << 32 | about.nFileSizeLow,
                     .written = ticks(about.ftLastWriteTime),
                     .changed = ticks(about.ftCreationTime),
                     .number = std::uint64_t{about.nFileIndexHigh} << 32 | about.nFileIndexLow,
                     .disk = about.dwVolumeSerialNumber};
}

bool is_young(const FileStamp& stamp) {
    FILETIME now{};
    GetSystemTimeAsFileTime(&now);
    constexpr std::int64_t tick = 500'000; // 50 ms
    return stamp.written > ticks(now) - tick;
}

/// A time of creation is no time of change.
bool tells_every_change(const FileStamp&) { return false; }

} // namespace warplight::remote
