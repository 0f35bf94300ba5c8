// SPDX-License-Identifier: GPL-3.0-or-later
#include "asked_worker.hpp"
#include "command.hpp"
#include "device_choice.hpp"
#include "json_text.hpp"

#include "session/report.hpp"
#include "warplight/device.hpp"
#include "warplight/driver.hpp"
#include "warplight/error.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace warplight::cli {
namespace {

using nlohmann::json;

struct Found {
    json devices = json::array();
    std::string problem; ///< why there are none
};

json describe(const driver::Device& device) {
    const auto [major, minor] = device.compute_capability();
    json attributes = json::object();
    for (const auto& [attribute, value] : device.get_attributes())
        attributes[driver::to_string(attribute)] = value;
    return {{"id", fmt::format("{}:{}", device.driver().name(), device.number())},
            {"name", device.name()},
            {"compute_capability", fmt::format("{}.{}", major, minor)},
            {"total_memory", device.total_memory()},
            {"attributes", std::move(attributes)}};
}

Found find_devices(const driver::Driver& driver) {
    Found found;
    if (!driver.available()) {
        const auto& why = driver.unavailable_because();
        const bool named = why.find(driver.library()) != std::string::npos;
        found.problem = named ? why : fmt::format("{}: {}", driver.library(), why);
        return found;
    }
    try {
        const int count = driver::Device::count(driver);
        for (int i = 0; i < count; ++i)
            found.devices.push_back(describe(driver::Device(i, driver)));
        if (count == 0) found.problem = "the driver has no device";
    } catch (const driver::Error& error) {
        found.problem = error.what();
    }
    return found;
}

void print_table(const json& devices, bool attributes) {
    std::size_t id_width = 0, name_width = 0;
    for (const auto& each : devices) {
        id_width = std::max(id_width, each["id"].get_ref<const std::string&>().size());
        name_width = std::max(name_width, each["name"].get_ref<const std::string&>().size());
    }
    for (const auto& each : devices) {
        fmt::print("{:<{}}  {:<{}}  compute capability {:>4}  {:>9} memory  {:>3} multiprocessors\n",
                   each["id"].get<std::string>(), id_width, each["name"].get<std::string>(), name_width,
                   each["compute_capability"].get<std::string>(),
                   session::format_bytes(each["total_memory"].get<std::uint64_t>()),
                   each["attributes"].value("MULTIPROCESSOR_COUNT", 0));
        if (!attributes) continue;
        std::size_t width = 0;
        for (const auto& [name, value] : each["attributes"].items())
            width = std::max(width, name.size());
        for (const auto& [name, value] : each["attributes"].items())
            fmt::print("  {:<{}}  {:>12}\n", name, width, value.get<int>());
    }
}

/// Those of another machine, as its workers tell them. Their names are the places that --device takes.
Found find_devices(const std::string& machine, const std::string& driver) {
    Found found;
    AskedWorker worker(worker::driver_on(machine, driver));
    const json answer = worker.ask("devices", json::object());
    for (json each : answer.value("devices", json::array())) {
        each["id"] = fmt::format("{}:{}", worker::driver_on(machine, driver), each.value("id", 0));
        found.devices.push_back(std::move(each));
    }
    if (found.devices.empty()) found.problem = answer.value("problem", "the driver has no device");
    return found;
}

int run_devices(bool as_json, bool attributes, const std::string& device) {
    json devices = json::array();
    json problems = json::object();
    const auto asked = parse_device_option(device);
    if (!device.empty() && asked.machine.empty())
        throw session::SessionError(fmt::format("--device {} is on this machine, whose devices are listed without it. "
                                                "It takes another machine: ssh://USER@HOST.",
                                                device));
    for (const auto& driver : {driver::Driver::cuda(), driver::Driver::software()}) {
        const auto choice = asked.machine.empty() ? "auto" : session::parse_device(asked.device).driver;
        if (choice != "auto" && choice != driver.name()) continue;
        const auto found = asked.machine.empty() ? find_devices(driver) : find_devices(asked.machine, driver.name());
        for (const auto& each : found.devices)
            devices.push_back(each);
        if (!found.problem.empty()) problems[driver.name()] = found.problem;
    }
    if (as_json) {
        print_json({{"devices", devices}, {"unavailable", problems}});
    } else {
        print_table(devices, attributes);
        for (const auto& [name, problem] : problems.items())
            fmt::print("{}: none: {}\n", name, problem.get<std::string>());
    }
    return devices.empty() ? device_failed : success;
}

} // namespace

void add_devices(CLI::App& app, int& exit_code) {
    auto* command = app.add_subcommand("devices", "List the devices that kernels can run on");
    auto as_json = std::make_shared<bool>(false);
    auto attributes = std::make_shared<bool>(false);
    auto device = std::make_shared<std::string>();
    command->add_option("--device", *device, "List those of another machine: ssh://USER@HOST, ssh://USER@HOST/cuda");
    command->add_flag("--json", *as_json, "Print JSON, with all attributes");
    command->add_flag("--attributes", *attributes, "List the attributes of each device");
    command->callback([=, &exit_code] { exit_code = run_devices(*as_json, *attributes, *device); });
}

} // namespace warplight::cli
