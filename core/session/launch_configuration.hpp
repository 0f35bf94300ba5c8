// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "session/launch_options.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace warplight::session {

struct LaunchConfiguration {
    std::vector<std::uint32_t> grid{1, 1, 1};
    std::vector<std::uint32_t> block{1, 1, 1};
    std::uint64_t shared = 0; ///< dynamic shared memory, bytes
    bool cooperative = false;
    LaunchOptions options;
    std::string unknown;
};

} // namespace warplight::session
