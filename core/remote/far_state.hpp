// SPDX-License-Identifier: Apache-2.0
/// What Warplight keeps on this machine for others: stored data, and processes that hold workers.
#pragma once

#include <cstdint>
#include <filesystem>

namespace warplight::remote {

struct FarState {
    std::uint64_t stored = 0; ///< bytes of data
    int holders = 0;          ///< processes that hold a worker
};

/// Of the far folder. What cannot be read counts as nothing.
[[nodiscard]] FarState far_state(const std::filesystem::path& folder);

struct Cleaned {
    std::uint64_t bytes = 0; ///< that were freed
    int holders = 0;         ///< that were ended
};

/// Removes stored data that no connection uses. With `all` ends the holders first, also those with a running worker,
/// and then removes everything.
Cleaned clean_far_folder(const std::filesystem::path& folder, bool all);

} // namespace warplight::remote
