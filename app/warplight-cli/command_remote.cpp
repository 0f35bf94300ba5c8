// SPDX-License-Identifier: GPL-3.0-or-later
#include "command.hpp"
#include "far_command.hpp"
#include "json_text.hpp"
#include "remote_install.hpp"

#include "remote/machines.hpp"
#include "remote/versions.hpp"
#include "session/report.hpp"
#include "warplight/version.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

namespace warplight::cli {
namespace {

using nlohmann::json;

struct Options {
    std::string machine, name;
    bool as_json = false, all = false;
    RemoteInstallOptions install;
};

json describe(const remote::Machine& machine) {
    return {{"name", machine.name}, {"place", "ssh://" + remote::machine_of(machine.place)}, {"added", machine.added}};
}

int add(const Options& options) {
    const auto machine = remote::add_machine(remote::place_of_machine(options.machine), options.name);
    if (options.as_json)
        print_json(describe(machine));
    else
        fmt::print("Added {}. Kernels run there with --device ssh://{}; `warplight-cli remote status {}` tells what is "
                   "there.\n",
                   machine.name, remote::machine_of(machine.place), remote::machine_of(machine.place));
    return success;
}

int list(const Options& options) {
    const auto machines = remote::read_machines();
    if (options.as_json) {
        json all = json::array();
        for (const auto& each : machines)
            all.push_back(describe(each));
        print_json({{"machines", std::move(all)}});
        return success;
    }
    std::size_t width = 0;
    for (const auto& each : machines)
        width = std::max(width, each.name.size());
    for (const auto& each : machines)
        fmt::print("{:<{}}  ssh://{}  added {}\n", each.name, width, remote::machine_of(each.place), each.added);
    if (machines.empty()) fmt::print("There are none. `warplight-cli remote add USER@HOST` adds one.\n");
    return success;
}

int remove(const Options& options) {
    const auto machine = remote::remove_machine(options.machine);
    if (options.as_json)
        print_json(describe(machine));
    else
        fmt::print("Removed {}. Nothing was changed there.\n", machine.name);
    return success;
}

int rename(const Options& options) {
    const auto machine = remote::rename_machine(options.machine, options.name);
    if (options.as_json)
        print_json(describe(machine));
    else
        fmt::print("ssh://{} is called {} now.\n", remote::machine_of(machine.place), machine.name);
    return success;
}

std::string span_text(double seconds) {
    const double size = std::abs(seconds);
    constexpr double minute = 60, hour = 3600, day = 86400;
    if (size < minute) return fmt::format("{:.1f} s", size);
    if (size < hour) return fmt::format("{:.0f} min", size / minute);
    if (size < 2 * day) return fmt::format("{:.1f} h", size / hour);
    return fmt::format("{:.0f} days", size / day);
}

// What a far side said may be anything: these take only what is of the right kind.

/// Without what a terminal would obey.
std::string text_in(const json& object, const char* key) {
    const auto found = object.is_object() ? object.find(key) : object.end();
    if (found == object.end() || !found->is_string()) return {};
    auto text = found->get<std::string>();
    std::erase_if(text, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7f; });
    return text;
}
double number_in(const json& object, const char* key) {
    const auto found = object.is_object() ? object.find(key) : object.end();
    return found != object.end() && found->is_number() ? found->get<double>() : 0;
}
int count_in(const json& object, const char* key) {
    return static_cast<int>(std::clamp(number_in(object, key), -1e9, 1e9));
}
std::uint64_t bytes_in(const json& object, const char* key) {
    const auto found = object.is_object() ? object.find(key) : object.end();
    return found != object.end() && found->is_number_unsigned() ? found->get<std::uint64_t>() : 0;
}
json part_of(const json& object, const char* key) {
    const auto found = object.is_object() ? object.find(key) : object.end();
    return found != object.end() && found->is_structured() ? *found : json::object();
}

void print_driver(const std::string& name, const json& driver) {
    const json devices = part_of(driver, "devices");
    for (const json& each : devices) {
        std::string memory = session::format_bytes(bytes_in(each, "total_memory")) + " memory";
        if (bytes_in(each, "free_memory") > 0)
            memory += fmt::format(", {} free", session::format_bytes(bytes_in(each, "free_memory")));
        fmt::print("  {:<12}  {}, compute capability {}, {}\n", text_in(each, "id"), text_in(each, "name"),
                   text_in(each, "compute_capability"), memory);
    }
    if (devices.empty()) fmt::print("  {:<12}  none: {}\n", name, text_in(driver, "problem"));
}

void print_status(const json& status, const std::string& machine, const std::string& problem) {
    fmt::print("{} has Warplight {}, and this machine {}.{}\n", machine, text_in(status, "version"), version(),
               problem.empty() ? " They fit together." : "");
    const json drivers = part_of(status, "drivers");
    for (const char* name : {"cuda", "software"})
        print_driver(name, part_of(drivers, name));
    const json nvrtc = part_of(part_of(status, "compilers"), "nvrtc");
    if (const auto found = nvrtc.find("found"); found != nvrtc.end() && *found == true)
        fmt::print("  {:<12}  {}  {}\n", "NVRTC", text_in(nvrtc, "version"), text_in(nvrtc, "path"));
    else
        fmt::print("  {:<12}  none there: sources are compiled on this machine\n", "NVRTC");
    const int holders = count_in(status, "holders");
    fmt::print("  {:<12}  {} in {}\n", "stored", session::format_bytes(bytes_in(status, "stored")),
               text_in(status, "folder"));
    fmt::print("  {:<12}  {}\n", "connections", holders == 0 ? "none" : fmt::format("{}, each with a worker", holders));
    const double difference = number_in(status, "clock_difference");
    constexpr double noticeable = 2; // seconds; how long it took to ask is not known better
    fmt::print("  {:<12}  {}\n", "clock",
               std::abs(difference) < noticeable ? std::string("as here")
                                                 : fmt::format("{} {} this machine's", span_text(difference),
                                                               difference > 0 ? "ahead of" : "behind"));
    if (!problem.empty()) fmt::print("{}\n", problem);
}

double clock_here() {
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

int show_status(const Options& options) {
    const auto place = remote::place_of_machine(options.machine);
    const auto machine = remote::machine_of(place);
    auto status = ask_far(place, {"status"});
    // It answers at the end, when it has asked its devices.
    status["clock_difference"] = number_in(status, "clock") - clock_here();
    const auto problem = remote::version_problem(count_in(status, "protocol"), text_in(status, "version"), machine);
    status["problem"] = problem;
    if (options.as_json)
        print_json(status);
    else
        print_status(status, machine, problem);
    return problem.empty() ? success : device_failed;
}

int clean(const Options& options) {
    const auto place = remote::place_of_machine(options.machine);
    std::vector<std::string> words{"clean"};
    if (options.all) words.emplace_back("--all");
    const auto cleaned = ask_far(place, words);
    if (options.as_json) {
        print_json(cleaned);
        return success;
    }
    fmt::print("{} are free again on {}.", session::format_bytes(bytes_in(cleaned, "bytes")),
               remote::machine_of(place));
    if (const int holders = count_in(cleaned, "holders"); holders > 0)
        fmt::print(" {} connection{} ended there, with {} worker{}.", holders, holders == 1 ? " was" : "s were",
                   holders == 1 ? "its" : "their", holders == 1 ? "" : "s");
    fmt::print("\n");
    return success;
}

} // namespace

void add_remote(CLI::App& app, int& exit_code) {
    auto* command =
        app.add_subcommand("remote", "Other machines whose devices are used over SSH: add, install, status");
    command->require_subcommand(1);
    auto options = std::make_shared<Options>();
    // Whatever a machine does, it is no wrong use of this program.
    const auto run = [options, &exit_code](int (*what)(const Options&)) {
        return [options, what, &exit_code] {
            try {
                exit_code = what(*options);
            } catch (const FarError& error) {
                fmt::print(stderr, "error: {}\n", error.what());
                exit_code = device_failed;
            }
        };
    };
    const auto with_machine = [&](CLI::App* added) {
        added
            ->add_option("HOST", options->machine,
                         "USER@HOST, USER@HOST:PORT, a name that was added, or one of ~/.ssh/config")
            ->required();
        return added;
    };
    const auto with_json = [&](CLI::App* added) {
        added->add_flag("--json", options->as_json, "Print JSON");
        return added;
    };

    auto* added = with_json(
        with_machine(command->add_subcommand("add", "Keep a machine in the list of the window and of this command")));
    added->add_option("--name", options->name, "What it is called; default: USER@HOST");
    added->callback(run(add));
    with_json(command->add_subcommand("list", "List the machines that were added"))->callback(run(list));
    with_json(with_machine(command->add_subcommand("remove", "Take a machine off the list; nothing changes there")))
        ->callback(run(remove));
    with_json(with_machine(command->add_subcommand("rename", "Call a machine of the list otherwise")))
        ->callback(run(rename))
        ->add_option("NAME", options->name, "What it is called then")
        ->required();
    with_json(with_machine(command->add_subcommand(
                  "status", "Say what a machine has: version, devices, free memory, compilers, stored data")))
        ->callback(run(show_status));
    auto* cleaned =
        with_json(with_machine(command->add_subcommand("clean", "Remove the data there that no connection uses")));
    cleaned->add_flag("--all", options->all, "All data; first end all connections and their workers, running ones too");
    cleaned->callback(run(clean));

    auto* installed = with_machine(command->add_subcommand(
        "install", "Copy this version of Warplight into the user's folder there, without root"));
    installed
        ->add_option("--archive", options->install.archive,
                     "The self-contained build, warplight-…-Linux-….tar.gz; default: made of this installation")
        ->type_name("FILE")
        ->check(CLI::ExistingFile);
    installed->add_flag("--yes", options->install.yes, "Do not ask");
    installed->add_flag("--progress", options->install.progress,
                        "For programs: a line `progress FRACTION TEXT` for each step");
    installed->footer(
        "The archive is checked by its SHA-256 there, tried, and put in place of the same version. One earlier\n"
        "version stays. What has come before a connection was lost is not sent again.");
    installed->callback([options, &exit_code] {
        options->install.machine = options->machine;
        exit_code = install_there(options->install);
    });
    with_machine(command->add_subcommand("uninstall", "Remove what `install` has put there; stored data stay"))
        ->callback([options, &exit_code] { exit_code = uninstall_there(options->machine); });
    command->footer(
        "Machines are reached by the system's ssh, with its configuration, keys and known hosts: `ssh HOST` has\n"
        "to work. Kernels run there with --device ssh://USER@HOST/cuda:0.");
}

} // namespace warplight::cli
