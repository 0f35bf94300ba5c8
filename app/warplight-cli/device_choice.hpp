// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/session.hpp"

namespace warplight::driver {
class Driver;
}

namespace warplight::cli {

/// Has the driver a device that can be used? Initialises the driver.
bool has_device(const driver::Driver& driver);
/// `auto` becomes cuda where there is a GPU, else software. Initialises the CUDA driver in this process.
session::DeviceChoice resolve_here(session::DeviceChoice choice);

} // namespace warplight::cli
