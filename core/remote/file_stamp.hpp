// SPDX-License-Identifier: Apache-2.0
// Whether a file is still the one that was read: without reading it again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace warplight::remote {

struct FileStamp {
    std::uint64_t size = 0;
    std::int64_t written = 0; ///< when its contents changed, in ns of the file system's clock
    std::int64_t changed = 0; ///< when anything of it changed; 0 where the system does not tell
    std::uint64_t number = 0; ///< of the file in its file system; 0 where the system does not tell
    std::uint64_t disk = 0;   ///< the file system

    bool operator==(const FileStamp&) const = default;
};

/// Of a regular file; links are followed. Nothing for anything else.
std::optional<FileStamp> stamp_of(const std::filesystem::path& file);

/// Whether a change just after this moment might leave the stamp as it is, as clocks of file systems tick slowly.
bool is_young(const FileStamp& stamp);

/// Whether a file that changes always gets another stamp, also from a program that sets the times back.
bool tells_every_change(const FileStamp& stamp);

} // namespace warplight::remote
