// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/session.hpp"

#include <string>
#include <string_view>

namespace warplight::driver {
class Driver;
}

namespace warplight::cli {

/// What --device says.
struct DeviceOption {
    std::string machine; ///< "ssh://user@host:port", without the device; empty: this machine
    std::string device;  ///< for a session: "auto", "cuda:1"
};

/// Takes a place, `ssh://user@host/cuda:1`, apart. Any other text is a device of this machine.
/// @throws session::SessionError where it begins like a place and is none
DeviceOption parse_device_option(const std::string& text);
/// Its driver for a worker::Client. `auto` is cuda where a worker there finds a GPU, else software; then one is
/// started. Only for an option with a machine.
std::string driver_there(const DeviceOption& option);
/// For a command that runs on this machine alone. `why`: "--in-process runs in this one".
/// @throws session::SessionError for a place
void refuse_other_machines(const std::string& text, std::string_view why);

/// True if the driver has a usable device. Initialises the driver.
bool has_device(const driver::Driver& driver);
/// Turns `auto` into cuda where there is a GPU, else into software. Initialises the CUDA driver in this process.
session::DeviceChoice resolve_here(session::DeviceChoice choice);

} // namespace warplight::cli
