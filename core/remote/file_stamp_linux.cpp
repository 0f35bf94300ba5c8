// SPDX-License-Identifier: Apache-2.0
#include "remote/file_stamp.hpp"

#include <algorithm>
#include <chrono>
#include <sys/stat.h>

namespace warplight::remote {
namespace {

std::int64_t nanoseconds(const timespec& time) { return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec; }

} // namespace

std::optional<FileStamp> stamp_of(const std::filesystem::path& file) {
    struct stat status{};
    if (::stat(file.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
    return FileStamp{.size = static_cast<std::uint64_t>(status.st_size),
                     .written = nanoseconds(status.st_mtim),
                     .changed = nanoseconds(status.st_ctim),
                     .number = status.st_ino,
                     .disk = status.st_dev};
}

bool is_young(const FileStamp& stamp) {
    constexpr std::int64_t tick = 50'000'000;
    const auto now =
        std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
            .count();
    // The future: another machine's clock. When it is no more is not known.
    return std::max(stamp.written, stamp.changed) > now - tick;
}

bool tells_every_change(const FileStamp& stamp) { return stamp.changed != 0 && stamp.number != 0; }

} // namespace warplight::remote
