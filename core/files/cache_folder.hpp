// SPDX-License-Identifier: Apache-2.0
// Files that only save time: results that can be computed again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace warplight::files {

/// Entries by key, for any number of processes at once. An entry is a file, which appears whole or not at all. Its key
/// and a digest stand in it; a file that is damaged or has another key is removed, and counts as absent.
/// Over the limit the entries go that were not used for longest. Errors are ignored.
class CacheFolder {
public:
    using Digest = std::string (*)(std::string_view bytes);

    struct Settings {
        std::filesystem::path folder; ///< this user's; empty: no cache
        /// The folder is one that the user chose, which may have other files: its permissions stay as they are. Where
        /// every user may write in it, there is no cache.
        bool chosen = false;
        std::string magic;       ///< the first bytes of a file, which tell its kind and version
        std::string suffix;      ///< of names: ".wlc"
        std::uint64_t limit = 0; ///< of all entries together, in bytes
        Digest digest = nullptr; ///< always gives texts of the same size
    };

    explicit CacheFolder(Settings settings);

    /// `key` names the file: letters and digits. What is found counts as used now.
    [[nodiscard]] std::optional<std::string> find(const std::string& key) const;
    void keep(const std::string& key, std::string_view value) const;

private:
    Settings settings_;
};

} // namespace warplight::files
