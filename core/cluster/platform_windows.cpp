// SPDX-License-Identifier: Apache-2.0
#include "cluster/platform.hpp"

#include <cstdlib>

namespace warplight::cluster::platform {

std::string host_name() {
    const char* name = std::getenv("COMPUTERNAME");
    return name ? name : "";
}

} // namespace warplight::cluster::platform
