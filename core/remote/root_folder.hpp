// SPDX-License-Identifier: Apache-2.0
// The folder `roots/N` in which the near machine's files stand on the far one. A connection has the least N that no
// other one has. So the next connection mostly finds its files under the same paths, which are part of what compiled
// code is found again by.
#pragma once

#include "files/platform.hpp"

#include <filesystem>

namespace warplight::remote {

/// An empty folder, which this object holds and empties at its end. What processes that were killed have left is
/// removed.
class RootFolder {
public:
    /// @param folder the far folder @throws files::Problem where there are none, or no locks
    explicit RootFolder(const std::filesystem::path& folder);
    ~RootFolder();
    RootFolder(const RootFolder&) = delete;
    RootFolder& operator=(const RootFolder&) = delete;

    /// Without links.
    [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

private:
    std::filesystem::path path_;
    files::platform::Folder held_;
};

/// Empties the folders that no connection holds.
void empty_dead_roots(const std::filesystem::path& folder);

} // namespace warplight::remote
