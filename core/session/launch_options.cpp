// SPDX-License-Identifier: Apache-2.0
#include "session/launch_options.hpp"

#include <fmt/format.h>

namespace warplight::session {

std::string LaunchOptions::text() const {
    std::vector<std::string> parts;
    if (!cluster.empty()) parts.push_back(fmt::format("clusters of {}", fmt::join(cluster, ",")));
    if (carveout) parts.push_back(fmt::format("carve-out {} %", *carveout));
    if (!cache.empty()) parts.push_back(fmt::format("cache preference {}", cache));
    if (priority != 0) parts.push_back(fmt::format("priority {}", priority));
    return fmt::format("{}", fmt::join(parts, ", "));
}

} // namespace warplight::session
