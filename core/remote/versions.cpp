// SPDX-License-Identifier: Apache-2.0
#include "remote/versions.hpp"

#include "remote/greeting.hpp"
#include "warplight/version.hpp"

#include <fmt/format.h>

namespace warplight::remote {

std::string version_problem(int far_protocol, std::string_view far_version, std::string_view machine) {
    if (far_protocol == kRemoteProtocol) return {};
    const auto both = fmt::format("{} has Warplight {} with protocol {}, and this machine has {} with protocol {}.",
                                  machine, far_version, far_protocol, version(), kRemoteProtocol);
    if (far_protocol < kRemoteProtocol)
        return fmt::format("{} The one there is older. Put this one there by `warplight-cli remote install {}`.", both,
                           machine);
    return both + " The one here is older. Update Warplight on this machine.";
}

} // namespace warplight::remote
