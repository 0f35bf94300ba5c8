// SPDX-License-Identifier: Apache-2.0
#include "remote/machines.hpp"

#include "files/input_file.hpp"
#include "files/new_file.hpp"
#include "files/paths.hpp"
#include "files/platform.hpp"
#include "files/problem.hpp"
#include "worker/utf8.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <functional>
#include <nlohmann/json.hpp>
#include <system_error>
#include <thread>

namespace warplight::remote {
namespace {

using nlohmann::json;

constexpr const char* kFormat = "warplight_machines"; // the key with the version of the file
constexpr int kFormatVersion = 1;
constexpr std::size_t kLongestMachineName = 100; // bytes

std::string machine_name_problem(const std::string& name) {
    if (name.empty()) return "is empty";
    if (name.size() > kLongestMachineName) return fmt::format("is longer than {} bytes", kLongestMachineName);
    if (!worker::is_utf8(name)) return "is not UTF-8";
    if (std::ranges::any_of(name, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7f; }))
        return "has a control character";
    if (name.front() == ' ' || name.back() == ' ' || name.front() == '-') return "begins or ends with a space or a '-'";
    return {};
}

std::string text_of_key(const json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

Machine machine_from_json(const json& each) {
    if (!each.is_object()) throw MachinesError("an entry of \"machines\" is no object");
    Machine machine;
    machine.name = text_of_key(each, "name");
    machine.added = text_of_key(each, "added");
    if (const auto problem = machine_name_problem(machine.name); !problem.empty())
        throw MachinesError(fmt::format("a \"name\" {}", problem));
    std::string problem;
    const auto place = parse_place(text_of_key(each, "place"), &problem);
    if (!place) throw MachinesError(problem);
    machine.place = *place;
    return machine;
}

std::vector<Machine> machines_from_text(const std::string& text) {
    const auto document = json::parse(text, nullptr, false);
    if (document.is_discarded()) throw MachinesError("it is no JSON");
    if (!document.is_object() || !document.contains(kFormat))
        throw MachinesError(fmt::format("it has no \"{}\"", kFormat));
    if (document[kFormat] != kFormatVersion) throw MachinesError("a later version of Warplight wrote it");
    const auto list = document.find("machines");
    if (list == document.end() || !list->is_array()) throw MachinesError("it has no list \"machines\"");
    std::vector<Machine> machines;
    machines.reserve(list->size());
    for (const auto& each : *list)
        machines.push_back(machine_from_json(each));
    return machines;
}

std::string text_of_machines(const std::vector<Machine>& machines) {
    json list = json::array();
    for (const auto& each : machines)
        list.push_back({{"name", each.name}, {"place", "ssh://" + machine_of(each.place)}, {"added", each.added}});
    return json{{kFormat, kFormatVersion}, {"machines", std::move(list)}}.dump(2) + "\n";
}

/// Reads the machines, lets `change` change them and writes them, while no other program does.
void change_machines(const std::function<void(std::vector<Machine>&)>& change) {
    const auto file = machines_file();
    std::error_code error;
    std::filesystem::create_directories(file.parent_path(), error);
    std::string problem;
    const auto folder = files::platform::Folder::open(file.parent_path(), files::platform::Owner::user, problem);
    if (!folder.is_open()) throw MachinesError(fmt::format("{}: {}.", file.parent_path().string(), problem));
    constexpr int tries = 500;
    for (int i = 0; folder.hold() == files::platform::Hold::taken; ++i) {
        if (i == tries)
            throw MachinesError(fmt::format("Another program holds {}. Try again when it has ended.", file.string()));
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    auto machines = read_machines();
    change(machines);
    try {
        files::write_new_file(file, [&](files::NewFile& to) { to.write(text_of_machines(machines)); });
    } catch (const files::Problem& failed) {
        throw MachinesError(
            fmt::format("{}.{}", failed.what(), failed.hint().empty() ? "" : " " + failed.hint() + "."));
    }
}

std::string now_in_utc() { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))); }

/// "user@host:port" with or without "ssh://".
std::optional<Place> place_of_word(std::string_view word, std::string* problem) {
    return parse_place(is_place(word) ? std::string(word) : fmt::format("ssh://{}", word), problem);
}

/// By its name, or by its place.
std::vector<Machine>::iterator find_machine(std::vector<Machine>& machines, std::string_view name) {
    auto found = std::ranges::find(machines, name, &Machine::name);
    if (const auto place = place_of_word(name, nullptr); place && found == machines.end())
        found =
            std::ranges::find_if(machines, [&](const Machine& each) { return is_same_machine(each.place, *place); });
    if (found == machines.end())
        throw MachinesError(
            fmt::format("There is no machine \"{}\". `warplight-cli remote list` tells which there are.", name));
    return found;
}

void check_machine_name(const std::string& name) {
    if (const auto problem = machine_name_problem(name); !problem.empty())
        throw MachinesError(fmt::format("The name of the machine {}. Choose another one.", problem));
}

/// @param own the machine that is to have it; null: a new one
void check_name_is_free(const std::vector<Machine>& machines, const std::string& name, const Machine* own = nullptr) {
    for (const auto& each : machines)
        if (each.name == name && &each != own)
            throw MachinesError(fmt::format("There is a machine \"{}\" already: {}. Choose another name.", each.name,
                                            machine_of(each.place)));
}

} // namespace

bool is_same_machine(const Place& a, const Place& b) { return machine_of(a) == machine_of(b); }

std::filesystem::path machines_file() {
    const auto folder = files::platform::user_config_folder();
    if (folder.empty())
        throw MachinesError(
            "The folder of the user's settings is not known, which keeps the list of machines. Set HOME "
            "or XDG_CONFIG_HOME.");
    return folder / "warplight" / "machines.json";
}

std::vector<Machine> read_machines() {
    const auto file = machines_file();
    std::error_code error;
    if (!std::filesystem::exists(file, error)) return {};
    try {
        return machines_from_text(files::read_text(file, files::Kind::settings));
    } catch (const files::InputError& failed) {
        throw MachinesError(fmt::format("The list of machines cannot be read: {}.", failed.what()));
    } catch (const MachinesError& damaged) {
        throw MachinesError(
            fmt::format("The list of machines, {}, cannot be used: {}. Repair the file, or move it away "
                        "and add the machines again.",
                        file.string(), damaged.what()));
    }
}

Machine add_machine(const Place& place, std::string name) {
    if (name.empty()) name = machine_of(place);
    check_machine_name(name);
    Machine machine{std::move(name), place, now_in_utc()};
    machine.place.driver = Place().driver;
    machine.place.ordinal = 0;
    change_machines([&](std::vector<Machine>& machines) {
        for (const auto& each : machines)
            if (is_same_machine(each.place, place))
                throw MachinesError(fmt::format("{} is there already, as \"{}\".", machine_of(place), each.name));
        check_name_is_free(machines, machine.name);
        machines.push_back(machine);
    });
    return machine;
}

Machine remove_machine(std::string_view name) {
    Machine removed;
    change_machines([&](std::vector<Machine>& machines) {
        const auto found = find_machine(machines, name);
        removed = std::move(*found);
        machines.erase(found);
    });
    return removed;
}

Machine rename_machine(std::string_view name, std::string to) {
    if (!to.empty()) check_machine_name(to);
    Machine renamed;
    change_machines([&](std::vector<Machine>& machines) {
        Machine& machine = *find_machine(machines, name);
        if (to.empty()) to = machine_of(machine.place);
        check_name_is_free(machines, to, &machine);
        machine.name = to;
        renamed = machine;
    });
    return renamed;
}

Place place_of_machine(std::string_view word) {
    const auto machines = read_machines();
    if (const auto found = std::ranges::find(machines, word, &Machine::name); found != machines.end())
        return found->place;
    std::string problem;
    if (const auto place = place_of_word(word, &problem)) return *place;
    throw MachinesError(problem);
}

} // namespace warplight::remote
