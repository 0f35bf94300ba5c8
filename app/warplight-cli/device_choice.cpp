// SPDX-License-Identifier: GPL-3.0-or-later
#include "device_choice.hpp"
#include "asked_worker.hpp"

#include "remote/place.hpp"
#include "warplight/device.hpp"
#include "warplight/driver.hpp"
#include "warplight/error.hpp"
#include "worker/client.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

namespace warplight::cli {

DeviceOption parse_device_option(const std::string& text) {
    if (!remote::is_place(text)) return {"", text};
    std::string problem;
    const auto place = remote::parse_place(text, &problem);
    if (!place) throw session::SessionError("--device " + problem);
    auto device = place->driver;
    if (place->ordinal != 0) device += fmt::format(":{}", place->ordinal);
    return {"ssh://" + remote::machine_of(*place), std::move(device)};
}

std::string driver_there(const DeviceOption& option) {
    const auto driver = session::parse_device(option.device).driver;
    if (driver != "auto") return worker::driver_on(option.machine, driver);
    auto cuda = worker::driver_on(option.machine, "cuda");
    if (worker::names_device(AskedWorker(cuda).ask("devices", nlohmann::json::object()))) return cuda;
    return worker::driver_on(option.machine, "software");
}

void refuse_other_machines(const std::string& text, std::string_view why) {
    if (!remote::is_place(text)) return;
    throw session::SessionError(fmt::format("{} names another machine, but {}. Choose a device of this machine, or log "
                                            "in there and call warplight-cli.",
                                            text, why));
}

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
