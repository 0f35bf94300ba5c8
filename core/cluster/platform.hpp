// SPDX-License-Identifier: Apache-2.0
// The system calls of this layer.
#pragma once

#include <string>

namespace warplight::cluster::platform {

/// Of this machine; empty where the system does not tell.
[[nodiscard]] std::string host_name();

} // namespace warplight::cluster::platform
