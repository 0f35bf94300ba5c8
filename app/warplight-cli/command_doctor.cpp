// SPDX-License-Identifier: GPL-3.0-or-later
#include "asked_worker.hpp"
#include "command.hpp"
#include "device_choice.hpp"
#include "json_text.hpp"

#include "remote/place.hpp"
#include "warplight/compiler.hpp"
#include "warplight/driver.hpp"
#include "worker/confinement.hpp"

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

struct Part {
    std::string name;
    bool found = false;
    std::string text; ///< what was found, or what is missing
};

/// The walls of a worker that was started to ask it.
std::vector<worker::Wall> walls_of(AskedWorker& worker) {
    return worker::walls_from_json(worker.hello().value("walls", json::array()));
}

Part part_of(const driver::Driver& driver) {
    const bool has = has_device(driver);
    const std::string why = driver.available() ? "the driver has no device" : driver.unavailable_because();
    return {driver.name() == "cuda" ? "NVIDIA's driver" : "software device", has, has ? driver.library() : why};
}

Part part_of(compiler::Backend backend) {
    const auto info = compiler::compiler_info(backend);
    const char* name = backend == compiler::Backend::nvcc ? "nvcc" : "NVRTC";
    if (!info.found) return {name, false, info.problem};
    return {name, true, fmt::format("{}.{}  {}", info.major, info.minor, info.path.string())};
}

std::vector<Part> parts_here() {
    return {part_of(driver::Driver::software()), part_of(driver::Driver::cuda()), part_of(compiler::Backend::nvrtc),
            part_of(compiler::Backend::nvcc)};
}

/// What a worker on another machine says of its driver and its compilers.
std::vector<Part> parts_of(AskedWorker& worker) {
    std::vector<Part> parts;
    const json found = worker.ask("devices", json::object());
    const auto devices = found.value("devices", json::array());
    for (const json& each : devices)
        parts.push_back(
            {fmt::format("{}:{}", found.value("driver", ""), each.value("id", 0)), true, each.value("name", "")});
    if (devices.empty()) parts.push_back({"device", false, found.value("problem", "the driver has no device")});
    const json compilers = worker.ask("compilers", json::object());
    for (const auto& [key, name] : {std::pair("nvrtc", "NVRTC"), std::pair("nvcc", "nvcc")}) {
        const json info = compilers.value(key, json::object());
        const bool has = info.value("found", false);
        parts.push_back({name, has,
                         has ? fmt::format("{}  {}", info.value("version", ""), info.value("path", ""))
                             : info.value("problem", "")});
    }
    return parts;
}

void print_walls(const std::vector<worker::Wall>& walls) {
    fmt::print("Walls around the worker, in which sessions and kernels run:\n");
    for (const auto& wall : walls) {
        fmt::print("  {:<8}  {:<12}  {}\n", wall.stands() ? wall.whole() ? "stands" : "in part" : "MISSING", wall.name,
                   wall.keeps);
        if (!wall.missing.empty()) fmt::print("  {:<8}  {:<12}  not here: {}\n", "", "", wall.missing);
    }
    fmt::print("A program behind `exec` is the user's own and has no walls.\n");
}

int run_doctor(bool as_json, const std::string& driver) {
    const auto asked = parse_device_option(driver);
    AskedWorker worker(asked.machine.empty() ? driver : driver_there(asked));
    const auto walls = walls_of(worker);
    const auto parts = asked.machine.empty() ? parts_here() : parts_of(worker);
    if (as_json) {
        json found = json::array();
        for (const auto& part : parts)
            found.push_back({{"name", part.name}, {"found", part.found}, {"text", part.text}});
        print_json({{"driver", driver}, {"walls", worker::to_json(walls)}, {"parts", found}});
    } else {
        print_walls(walls);
        fmt::print("\nParts that Warplight found:\n");
        for (const auto& part : parts)
            fmt::print("  {:<8}  {:<16}  {}\n", part.found ? "found" : "none", part.name, part.text);
    }
    const bool whole = std::ranges::all_of(walls, [](const worker::Wall& wall) { return wall.whole(); });
    return whole && !walls.empty() ? success : expectation_failed;
}

} // namespace

void add_doctor(CLI::App& app, int& exit_code) {
    auto* command = app.add_subcommand(
        "doctor", "Say which walls around kernels and sessions stand on this system, and what Warplight found");
    struct Options {
        bool as_json = false;
        std::string driver = "software";
    };
    auto options = std::make_shared<Options>();
    command->add_flag("--json", options->as_json, "Print JSON");
    command
        ->add_option("--driver", options->driver,
                     "Whose worker: software, cuda, or one on another machine: ssh://USER@HOST/cuda; default software")
        ->type_name("TEXT:{software,cuda}")
        ->check([](const std::string& driver) {
            const bool known = driver == "software" || driver == "cuda" || remote::is_place(driver);
            return known ? std::string() : driver + " is neither software nor cuda nor ssh://USER@HOST/cuda";
        });
    command->footer("The exit code is 0 when all walls stand, 1 when one of them is missing or stands in part.");
    command->callback([options, &exit_code] { exit_code = run_doctor(options->as_json, options->driver); });
}

} // namespace warplight::cli
