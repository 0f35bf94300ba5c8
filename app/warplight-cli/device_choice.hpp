// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/session.hpp"

namespace warplight::driver {
class Driver;
}

namespace warplight::cli {

/// True if the driver has a usable device. Initialises the driver.
bool has_device(const driver::Driver& driver);
/// Turns `auto` into cuda where there is a GPU, else into software. Initialises the CUDA driver in this process.
session::DeviceChoice resolve_here(session::DeviceChoice choice);

} // namespace warplight::cli
