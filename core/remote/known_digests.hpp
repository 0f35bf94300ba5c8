// SPDX-License-Identifier: Apache-2.0
// Digests of large files that an earlier process has read, in a small folder of the user's cache.
#pragma once

#include "files/cache_folder.hpp"
#include "remote/file_stamp.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace warplight::remote {

class KnownDigests {
public:
    /// @param folder this user's; empty: nothing is kept
    explicit KnownDigests(const std::filesystem::path& folder);

    /// Of the file as the stamp has it. Any number of processes may ask and keep at once; errors are ignored.
    [[nodiscard]] std::optional<std::string> find(const std::filesystem::path& file, const FileStamp& stamp) const;
    void keep(const std::filesystem::path& file, const FileStamp& stamp, const std::string& digest) const;
    /// It was wrong.
    void forget(const std::filesystem::path& file, const FileStamp& stamp) const;

private:
    files::CacheFolder cache_;
};

} // namespace warplight::remote
