// SPDX-License-Identifier: Apache-2.0
// What `keep` of the worker's `run` means on the far machine: `kept/HASH`, which stays from one connection to the next.
#pragma once

#include "files/platform.hpp"

#include <filesystem>
#include <string_view>

namespace warplight::remote {

/// The folder that stands for a folder of the near machine. While this object lives it is not removed as an old one.
class KeptFolder {
public:
    /// Makes it where it is missing. @param folder the far folder @param near the near machine's folder, as it names it
    /// @throws files::Problem
    KeptFolder(const std::filesystem::path& folder, std::string_view near);

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

private:
    std::filesystem::path path_;
    files::platform::Folder held_;
};

/// Removes the folders that nobody has changed for a day and that no process holds.
void remove_old_kept_folders(const std::filesystem::path& folder);

} // namespace warplight::remote
