// SPDX-License-Identifier: Apache-2.0
#include "cluster/platform.hpp"

#include <array>
#include <unistd.h>

namespace warplight::cluster::platform {

std::string host_name() {
    std::array<char, 256> name{};
    return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

} // namespace warplight::cluster::platform
