// SPDX-License-Identifier: Apache-2.0
// The system calls of this layer.
#pragma once

#include <string>

namespace warplight::cluster::platform {

/// Of this machine; empty where the system does not tell.
[[nodiscard]] std::string host_name();
/// Returns when standard input has ended. What comes before is dropped. The streams of the C library are left alone: a
/// thread that reads one holds it when the program ends, and some systems wait for it then.
void wait_for_end_of_input();

} // namespace warplight::cluster::platform
