// SPDX-License-Identifier: GPL-3.0-or-later
#include "command.hpp"
#include "device_choice.hpp"
#include "json_text.hpp"
#include "sass_output.hpp"

#include "session/occupancy.hpp"
#include "session/session.hpp"
#include "warplight/compiler.hpp"
#include "warplight/context.hpp"
#include "warplight/device.hpp"
#include "warplight/driver.hpp"
#include "warplight/file_io.hpp"
#include "warplight/function.hpp"
#include "warplight/module.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace warplight::cli {
namespace {

using nlohmann::json;

json describe(const driver::Function& function) {
    json attributes = json::object();
    for (const auto& [attribute, value] : function.get_attributes()) {
        auto name = driver::to_string(attribute);
        std::transform(name.begin(), name.end(), name.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        attributes[name] = value;
    }
    json result = {{"name", function.name()}, {"attributes", attributes}};
    const auto parameters = function.parameters();
    if (!parameters) return result;
    constexpr const char* types[] = {"unknown", "bits", "integer", "real", "bytes"};
    result["parameters"] = json::array();
    for (const auto& each : *parameters)
        result["parameters"].push_back({{"name", each.name},
                                        {"offset", each.offset},
                                        {"size", each.size},
                                        {"type", types[static_cast<int>(each.type)]}});
    return result;
}

void print_text(const json& kernels) {
    for (const auto& kernel : kernels) {
        fmt::print("{}\n", kernel["name"].get<std::string>());
        if (kernel.contains("parameters")) {
            for (const auto& each : kernel["parameters"])
                fmt::print("  parameter  {:<32}  offset {:>4}  {:>3} bytes  {}\n", each["name"].get<std::string>(),
                           each["offset"].get<std::size_t>(), each["size"].get<std::size_t>(),
                           each["type"].get<std::string>());
        }
        for (const auto& [name, value] : kernel["attributes"].items())
            fmt::print("  attribute  {:<42}{:>10}{}\n", name, value.get<int>(),
                       name == "num_regs" && kernel["registers_from"] == "estimate" ? " (estimated)" : "");
    }
}

int run_inspect(const std::string& file, const std::string& device_text, bool as_json) {
    refuse_other_machines(device_text, "`inspect` loads the code in this process");
    const auto code = read_file(file);
    const auto choice = resolve_here(session::parse_device(device_text));
    const auto driver = driver::Driver::from_name(choice.driver);
    const driver::Device device(choice.ordinal, driver);
    const auto context = device.retain_primary_context();
    const driver::ContextScope current(context);
    const auto module = driver::module_from_buffer(code);
    const auto [major, minor] = device.compute_capability();
    std::vector<compiler::KernelResources> resources;
    if (choice.driver == "software") {
        std::string why_not; // without ptxas the device estimates
        resources = compiler::ptxas_report({reinterpret_cast<const char*>(code.data()), code.size()},
                                           fmt::format("sm_{}{}", major, minor), why_not);
    }
    json kernels = json::array();
    for (const auto& name : module.functions()) {
        const auto function = module.get_function(name);
        const auto counted = session::count_registers(driver, function, session::registers_of(resources, name));
        kernels.push_back(describe(function));
        kernels.back()["registers_from"] = counted;
    }
    if (as_json)
        print_json({{"file", file},
                    {"device", fmt::format("{}:{}", choice.driver, choice.ordinal)},
                    {"kernels", kernels},
                    {"log", module.info_log()}});
    else
        print_text(kernels);
    return success;
}

} // namespace

void add_inspect(CLI::App& app, int& exit_code) {
    auto* command = app.add_subcommand("inspect", "Load PTX or CUBIN; show its kernels, parameters and attributes");
    auto file = std::make_shared<std::string>();
    auto device = std::make_shared<std::string>("auto");
    auto as_json = std::make_shared<bool>(false);
    command->add_option("FILE", *file, "FILE.ptx or FILE.cubin")->required();
    command->add_option("--device", *device, "auto, cuda:N or software:N")->capture_default_str();
    auto sass = std::make_shared<bool>(false);
    auto arch = std::make_shared<std::string>("sm_80");
    command->add_flag("--sass", *sass, "Print the SASS through NVIDIA's nvdisasm or cuobjdump; needs no device");
    command->add_option("--arch", *arch, "With --sass, of PTX: the architecture to assemble for")
        ->capture_default_str();
    command->add_flag("--json", *as_json, "Print JSON");
    command->callback([=, &exit_code] {
        exit_code = *sass ? print_sass(*file, *arch, *as_json) : run_inspect(*file, *device, *as_json);
    });
}

} // namespace warplight::cli
