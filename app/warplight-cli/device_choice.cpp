// SPDX-License-Identifier: GPL-3.0-or-later
#include "device_choice.hpp"

#include "warplight/device.hpp"
#include "warplight/driver.hpp"
#include "warplight/error.hpp"

namespace warplight::cli {

bool has_device(const driver::Driver& driver) {
    try {
        return driver.available() && driver::Device::count(driver) > 0;
    } catch (const driver::Error&) {
        return false;
    }
}

session::DeviceChoice resolve_here(session::DeviceChoice choice) {
    if (choice.driver == "auto") choice.driver = has_device(driver::Driver::cuda()) ? "cuda" : "software";
    return choice;
}

} // namespace warplight::cli
