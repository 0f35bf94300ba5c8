// SPDX-License-Identifier: Apache-2.0
/// Words of ssh's command line that several commands share.
#pragma once

#include "remote/place.hpp"

#include <string>
#include <vector>

namespace warplight::remote {

/// The port and the destination, which end ssh's options: "-p", "22", "--", "user@host".
[[nodiscard]] std::vector<std::string> machine_arguments(const Place& place);

} // namespace warplight::remote
