// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "warplight/driver.hpp"

#include <optional>
#include <string>

namespace warplight::driver {

/// Asks a driver that can check running kernels, as the software device, for these checks of later launches
/// (findings::Checks::text()); "": none. False: the driver has no checks.
bool request_checks(const Driver& driver, const std::string& checks);
/// What they have found since the last time (findings::findings_from_line()). Nothing where the driver has no checks.
std::optional<std::string> take_findings(const Driver& driver);

} // namespace warplight::driver
