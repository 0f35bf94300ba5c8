// SPDX-License-Identifier: Apache-2.0
/// What a launch may have beside its extents, in sessions and reports alike.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplight::session {

/// What is not set is left to the kernel's declaration and to the driver.
struct LaunchOptions {
    std::vector<std::uint32_t> cluster; ///< blocks of a cluster: x, y, z; compute capability 9.0
    std::optional<int> carveout; ///< per cent of a multiprocessor's L1 cache that are for shared memory: a preference
    std::string cache;           ///< a preference too, of devices whose two memories are one: a name of the list below
    int priority = 0;            ///< of the stream; lower is sooner

    [[nodiscard]] bool any() const { return !cluster.empty() || carveout || !cache.empty() || priority != 0; }
    /// "clusters of 2,1,1, carve-out 50 %"; empty where nothing is set
    [[nodiscard]] std::string text() const;

    friend bool operator==(const LaunchOptions&, const LaunchOptions&) = default;
};

inline constexpr int furthest_priority = 1000; ///< either way; drivers have some, such as -5 to 0
/// What `cache` may be, beside the empty text.
inline constexpr std::array<std::string_view, 3> cache_preferences = {"shared", "l1", "equal"};
inline constexpr std::array<std::string_view, 4> launch_option_keys = {"cluster", "carveout", "cache", "priority"};

} // namespace warplight::session
