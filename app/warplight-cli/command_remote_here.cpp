// SPDX-License-Identifier: GPL-3.0-or-later
// The far side of `warplight-cli remote status` and `remote clean`.
#include "asked_worker.hpp"
#include "command.hpp"

#include "remote/connection_folder.hpp"
#include "remote/far_state.hpp"
#include "remote/greeting.hpp"
#include "session/data_file.hpp"
#include "warplight/version.hpp"

#include <CLI/CLI.hpp>
#include <chrono>
#include <exception>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

namespace warplight::cli {
namespace {

using nlohmann::json;

/// A driver's devices with their free memory, and the compilers of its worker. A driver that fails is told in words.
json describe_driver(const std::string& name, json& compilers) {
    json found = {{"devices", json::array()}};
    try {
        AskedWorker worker(name);
        const json answer = worker.ask("devices", json::object());
        if (const auto problem = answer.find("problem"); problem != answer.end()) found["problem"] = *problem;
        for (const json& each : answer.value("devices", json::array())) {
            json device = {{"id", fmt::format("{}:{}", name, each.value("id", 0))},
                           {"name", each.value("name", "")},
                           {"compute_capability", each.value("compute_capability", "")},
                           {"total_memory", each.value("total_memory", std::uint64_t{0})}};
            const json memory = worker.ask("memory", {{"device", each.value("id", 0)}});
            if (const auto free = memory.find("free"); free != memory.end()) device["free_memory"] = *free;
            found["devices"].push_back(std::move(device));
        }
        compilers = worker.ask("compilers", json::object());
    } catch (const std::exception& error) {
        found["problem"] = error.what();
    }
    return found;
}

json status_here() {
    const auto folder = remote::far_folder();
    const auto state = remote::far_state(folder);
    json compilers = json::object();
    json drivers = {{"cuda", describe_driver("cuda", compilers)}, {"software", describe_driver("software", compilers)}};
    const std::chrono::duration<double> clock = std::chrono::system_clock::now().time_since_epoch();
    return {{"version", version()},
            {"protocol", remote::kRemoteProtocol},
            {"drivers", std::move(drivers)},
            {"compilers", std::move(compilers)},
            {"folder", session::utf8_of(folder)},
            {"stored", state.stored},
            {"holders", state.holders},
            {"clock", clock.count()}};
}

json clean_here(bool all) {
    const auto cleaned = remote::clean_far_folder(remote::far_folder(), all);
    return {{"bytes", cleaned.bytes}, {"holders", cleaned.holders}};
}

void answer(const std::string& token, const json& object) {
    fmt::print("\n{} {}\n", token, object.dump(-1, ' ', false, json::error_handler_t::replace));
}

} // namespace

void add_remote_here(CLI::App& app, int& exit_code) {
    struct Options {
        std::string token;
        bool all = false;
    };
    auto options = std::make_shared<Options>();
    auto* here = app.add_subcommand("remote-here")->group("");
    here->require_subcommand(1);
    const auto add = [&](const char* name) {
        auto* command = here->add_subcommand(name);
        command->add_option("--token", options->token)->required();
        return command;
    };
    add("status")->callback([options, &exit_code] {
        answer(options->token, status_here());
        exit_code = success;
    });
    auto* clean = add("clean");
    clean->add_flag("--all", options->all);
    clean->callback([options, &exit_code] {
        answer(options->token, clean_here(options->all));
        exit_code = success;
    });
}

} // namespace warplight::cli
