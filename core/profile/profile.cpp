// SPDX-License-Identifier: Apache-2.0
#include "profile.hpp"

#include <map>
#include <nlohmann/json.hpp>
#include <utility>

namespace warplight::profile {

using nlohmann::json;

namespace {

constexpr std::array<std::string_view, kOperations> operation_names = {
#define WARPLIGHT_OPERATION(name) #name,
#include "operations.def"
#undef WARPLIGHT_OPERATION
};

double per(std::uint64_t count, std::uint64_t whole) {
    return whole == 0 ? 0 : static_cast<double>(count) / static_cast<double>(whole);
}

void read_figures(const json& object, Figures& figures) {
#define WARPLIGHT_FIGURE(name) figures.name = object.value(#name, std::uint64_t{0});
#include "figures.def"
#undef WARPLIGHT_FIGURE
    const json operations = object.value("operations", json::object());
    for (std::size_t k = 0; k < kOperations; ++k)
        figures.operations[k] = operations.value(std::string(operation_names[k]), std::uint64_t{0});
}

json instruction_to_json(const Instruction& each) {
    json object = to_json(each.figures);
    object["kernel"] = each.kernel;
    object["ptx_line"] = each.ptx_line;
    object["opcode"] = each.opcode;
    if (!each.place.file.empty()) {
        object["file"] = each.place.file;
        object["line"] = each.place.line;
        object["column"] = each.place.column;
    }
    return object;
}

} // namespace

std::string_view name_of(Operation operation) { return operation_names.at(static_cast<std::size_t>(operation)); }

void Figures::add(const Figures& others) {
#define WARPLIGHT_FIGURE(name) name += others.name;
#include "figures.def"
#undef WARPLIGHT_FIGURE
    for (std::size_t k = 0; k < kOperations; ++k)
        operations[k] += others.operations[k];
}

std::uint64_t Figures::floating_point() const {
    std::uint64_t sum = 0;
    for (const Operation kind : {Operation::f16, Operation::bf16, Operation::f32, Operation::f64, Operation::tensor})
        sum += operations_of(kind);
    return sum;
}

std::uint64_t cost_of(const Figures& figures) {
    return figures.executions + kSectorCost * (figures.sectors + figures.local_sectors) +
           kWavefrontCost * figures.wavefronts + kSectorCost * (figures.atomic_lanes - figures.atomic_addresses);
}

Figures Profile::total() const {
    Figures sum;
    for (const Instruction& each : instructions)
        sum.add(each.figures);
    return sum;
}

std::vector<Line> Profile::lines() const {
    std::map<std::pair<std::string, int>, Figures> by_line;
    for (const Instruction& each : instructions)
        if (!each.place.file.empty()) by_line[{each.place.file, each.place.line}].add(each.figures);
    std::vector<Line> all;
    all.reserve(by_line.size());
    for (const auto& [place, figures] : by_line)
        all.push_back({place.first, place.second, figures});
    return all;
}

Speed speed_of(const Figures& total, double ms) {
    if (ms <= 0) return {};
    const double a_second = 1e-6 / ms; // of counts, in billions
    return {ms, static_cast<double>(total.bytes) * a_second, static_cast<double>(total.floating_point()) * a_second};
}

json to_json(const Figures& figures) {
    json object = json::object();
#define WARPLIGHT_FIGURE(name) object[#name] = figures.name;
#include "figures.def"
#undef WARPLIGHT_FIGURE
    json operations = json::object();
    for (std::size_t k = 0; k < kOperations; ++k)
        if (figures.operations[k] != 0) operations[std::string(operation_names[k])] = figures.operations[k];
    object["operations"] = std::move(operations);
    return object;
}

json to_json(const Profile& profile) {
    json lines = json::array(), instructions = json::array();
    for (const Line& each : profile.lines()) {
        json object = to_json(each.figures);
        object["file"] = each.file;
        object["line"] = each.line;
        lines.push_back(std::move(object));
    }
    for (const Instruction& each : profile.instructions)
        instructions.push_back(instruction_to_json(each));
    const Figures total = profile.total();
    json kernel = to_json(total);
    kernel["launches"] = profile.launches;
    kernel["warps"] = profile.warps;
    kernel["lost_blocks"] = profile.lost_blocks;
    kernel["floating_point"] = total.floating_point();
    kernel["operations_per_byte"] = per(total.floating_point(), total.bytes);
    kernel["operations_per_sector_byte"] = per(total.floating_point(), total.sectors * 32);
    return {{"lines", std::move(lines)}, {"instructions", std::move(instructions)}, {"kernel", std::move(kernel)}};
}

Profile profile_from_json(const json& object) {
    Profile profile;
    const json kernel = object.value("kernel", json::object());
    profile.launches = kernel.value("launches", std::uint64_t{0});
    profile.warps = kernel.value("warps", std::uint64_t{0});
    profile.lost_blocks = kernel.value("lost_blocks", std::uint64_t{0});
    for (const json& each : object.value("instructions", json::array())) {
        Instruction& instruction = profile.instructions.emplace_back();
        instruction.kernel = each.value("kernel", "");
        instruction.ptx_line = each.value("ptx_line", 0);
        instruction.opcode = each.value("opcode", "");
        instruction.place = {each.value("file", ""), each.value("line", 0), each.value("column", 0)};
        read_figures(each, instruction.figures);
    }
    return profile;
}

std::string to_line(const Profile& profile) {
    return to_json(profile).dump(-1, ' ', false, json::error_handler_t::replace);
}

Profile profile_from_line(std::string_view line) { return profile_from_json(json::parse(line)); }

} // namespace warplight::profile
