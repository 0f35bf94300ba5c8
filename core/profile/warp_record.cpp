// SPDX-License-Identifier: Apache-2.0
#include "profile/warp_record.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

namespace warplight::profile {

using nlohmann::json;

namespace {

constexpr std::array<std::string_view, 3> space_names = {"global", "shared", "local"};

RecordedSpace space_from(const std::string& name) {
    const auto known = std::find(space_names.begin(), space_names.end(), name);
    return known == space_names.end() ? RecordedSpace::global : static_cast<RecordedSpace>(known - space_names.begin());
}

// --- numbers of executions: [first, step, count] for each run of equally distant ones

json series(const std::vector<std::uint64_t>& numbers) {
    json runs = json::array();
    for (std::size_t at = 0; at < numbers.size();) {
        std::size_t count = 1;
        const std::uint64_t step = at + 1 < numbers.size() ? numbers[at + 1] - numbers[at] : 0;
        while (at + count < numbers.size() && numbers[at + count] - numbers[at + count - 1] == step)
            ++count;
        runs.push_back({numbers[at], count == 1 ? 0 : static_cast<std::int64_t>(step), count});
        at += count;
    }
    return runs;
}

std::vector<std::uint64_t> read_series(const json& runs) {
    std::vector<std::uint64_t> numbers;
    for (const json& run : runs) {
        const auto first = run.at(0).get<std::uint64_t>();
        const auto step = static_cast<std::uint64_t>(run.at(1).get<std::int64_t>());
        const auto count = run.at(2).get<std::uint64_t>();
        if (count > WarpRecord::kMost - numbers.size()) throw std::out_of_range("the record of a warp is too long");
        for (std::uint64_t k = 0; k < count; ++k)
            numbers.push_back(first + k * step);
    }
    return numbers;
}

// --- accesses: those with the same lanes and the same distances lie together

unsigned first_lane(std::uint32_t lanes) { return static_cast<unsigned>(std::countr_zero(lanes)); }

template <class Visit>
void visit_lanes(std::uint32_t lanes, Visit visit) {
    for (; lanes != 0; lanes &= lanes - 1)
        visit(first_lane(lanes));
}

/// From the first lane that takes part, by lane.
std::vector<std::int64_t> offsets_of(const WarpAccess& access) {
    std::vector<std::int64_t> offsets;
    const std::uint64_t first = access.addresses[first_lane(access.active)];
    visit_lanes(access.active,
                [&](unsigned lane) { offsets.push_back(static_cast<std::int64_t>(access.addresses[lane] - first)); });
    return offsets;
}

bool are_alike(const RecordedAccess& a, const RecordedAccess& b) {
    return a.space == b.space && a.access.active == b.access.active && offsets_of(a.access) == offsets_of(b.access);
}

json groups_of(const std::vector<RecordedAccess>& accesses) {
    json groups = json::array();
    for (auto begin = accesses.begin(); begin != accesses.end();) {
        std::vector<std::uint64_t> order, first;
        auto end = begin;
        for (; end != accesses.end() && are_alike(*begin, *end); ++end) {
            order.push_back(end->order);
            first.push_back(end->access.addresses[first_lane(end->access.active)]);
        }
        json group = {{"space", name_of(begin->space)},
                      {"lanes", begin->access.active},
                      {"order", series(order)},
                      {"first", series(first)}};
        if (const auto stride = stride_of(begin->access))
            group["stride"] = *stride;
        else
            group["offsets"] = offsets_of(begin->access);
        groups.push_back(std::move(group));
        begin = end;
    }
    return groups;
}

void read_groups(const json& groups, RecordedInstruction& to) {
    for (const json& group : groups) {
        const std::vector<std::uint64_t> order = read_series(group.at("order")), first = read_series(group.at("first"));
        RecordedAccess access{0, space_from(group.value("space", "")), {{}, group.value("lanes", 0U), to.bytes}};
        if (order.size() != first.size() || access.access.active == 0 ||
            order.size() > WarpRecord::kMost - to.accesses.size())
            throw std::out_of_range("a group of executions is not whole");
        std::array<std::uint64_t, 32> offsets{};
        const unsigned begin = first_lane(access.access.active);
        const auto stride = group.value("stride", std::int64_t{0});
        std::size_t k = 0;
        visit_lanes(access.access.active, [&](unsigned lane) {
            offsets[lane] = group.contains("offsets")
                                ? static_cast<std::uint64_t>(group.at("offsets").at(k++).get<std::int64_t>())
                                : static_cast<std::uint64_t>(stride) * (lane - begin);
        });
        for (std::size_t each = 0; each < order.size(); ++each) {
            access.order = order[each];
            for (unsigned lane = 0; lane < 32; ++lane)
                access.access.addresses[lane] =
                    (access.access.active >> lane & 1) != 0 ? first[each] + offsets[lane] : 0;
            to.accesses.push_back(access);
        }
    }
}

// --- branches: those whose lanes went the same ways lie together

void write_place(const findings::Place& place, int ptx_line, json& object) {
    object["ptx_line"] = ptx_line;
    if (place.file.empty()) return;
    object["file"] = place.file;
    object["line"] = place.line;
    object["column"] = place.column;
}

findings::Place read_place(const json& object) {
    return {object.value("file", ""), object.value("line", 0), object.value("column", 0)};
}

json groups_of(const std::vector<RecordedBranch>& branches) {
    json groups = json::array();
    for (auto begin = branches.begin(); begin != branches.end();) {
        std::vector<std::uint64_t> order;
        auto end = begin;
        for (; end != branches.end() && end->lanes == begin->lanes && end->ways == begin->ways; ++end)
            order.push_back(end->order);
        json ways = json::array();
        for (const RecordedBranch::Way& way : begin->ways) {
            json& object = ways.emplace_back(json{{"lanes", way.lanes}});
            write_place(way.place, way.ptx_line, object);
        }
        groups.push_back({{"lanes", begin->lanes}, {"order", series(order)}, {"ways", std::move(ways)}});
        begin = end;
    }
    return groups;
}

void read_branches(const json& groups, RecordedInstruction& to) {
    for (const json& group : groups) {
        RecordedBranch branch{0, group.value("lanes", 0U), {}};
        for (const json& way : group.value("ways", json::array()))
            branch.ways.push_back({way.value("lanes", 0U), read_place(way), way.value("ptx_line", 0)});
        const std::vector<std::uint64_t> orders = read_series(group.at("order"));
        if (orders.size() > WarpRecord::kMost - to.branches.size())
            throw std::out_of_range("the record of a warp is too long");
        for (const std::uint64_t order : orders) {
            branch.order = order;
            to.branches.push_back(branch);
        }
    }
}

} // namespace

std::optional<WarpChoice> WarpChoice::parse(std::string_view text) {
    WarpChoice choice;
    const auto number = [](std::string_view digits, std::uint32_t& to) {
        const char* const begin = digits.data();
        const char* const end = begin + digits.size();
        const auto [at, problem] = std::from_chars(begin, end, to);
        return problem == std::errc() && at == end && !digits.empty();
    };
    const auto colon = text.find(':');
    if (colon == std::string_view::npos || !number(text.substr(colon + 1), choice.warp)) return std::nullopt;
    std::string_view rest = text.substr(0, colon);
    for (std::size_t axis = 0;; ++axis) {
        const auto comma = rest.find(',');
        if (axis == 3 || !number(rest.substr(0, comma), choice.block[axis])) return std::nullopt;
        if (comma == std::string_view::npos) return choice;
        rest.remove_prefix(comma + 1);
    }
}

std::string WarpChoice::text() const {
    return std::to_string(block[0]) + ',' + std::to_string(block[1]) + ',' + std::to_string(block[2]) + ':' +
           std::to_string(warp);
}

std::string_view name_of(RecordedSpace space) { return space_names[static_cast<std::size_t>(space)]; }

json to_json(const WarpRecord& record) {
    json instructions = json::array(), memory = json::array();
    for (const RecordedInstruction& each : record.instructions) {
        json object = {{"kernel", each.kernel},
                       {"opcode", each.opcode},
                       {"access", each.access},
                       {"executions", each.executions},
                       {"groups", each.is_branch() ? groups_of(each.branches) : groups_of(each.accesses)}};
        if (!each.is_branch()) object["bytes"] = each.bytes;
        write_place(each.place, each.ptx_line, object);
        instructions.push_back(std::move(object));
    }
    for (const RecordedMemory& each : record.memory)
        memory.push_back({{"space", name_of(each.space)},
                          {"name", each.name},
                          {"address", each.address},
                          {"bytes", each.bytes},
                          {"element", each.element}});
    return {{"block", record.choice.block},
            {"warp", record.choice.warp},
            {"block_size", record.block_size},
            {"lanes", record.lanes},
            {"executions", record.executions},
            {"cut", record.cut},
            {"instructions", std::move(instructions)},
            {"memory", std::move(memory)}};
}

WarpRecord warp_record_from_json(const json& object) {
    WarpRecord record;
    record.choice.block = object.value("block", record.choice.block);
    record.choice.warp = object.value("warp", 0U);
    record.block_size = object.value("block_size", record.block_size);
    record.lanes = object.value("lanes", 0U);
    record.executions = object.value("executions", std::uint64_t{0});
    record.cut = object.value("cut", false);
    std::size_t kept = 0;
    for (const json& each : object.value("instructions", json::array())) {
        RecordedInstruction& instruction = record.instructions.emplace_back();
        instruction.kernel = each.value("kernel", "");
        instruction.place = read_place(each);
        instruction.ptx_line = each.value("ptx_line", 0);
        instruction.opcode = each.value("opcode", "");
        instruction.access = each.value("access", "");
        instruction.bytes = each.value("bytes", 0U);
        instruction.executions = each.value("executions", std::uint64_t{0});
        const json groups = each.value("groups", json::array());
        if (instruction.is_branch())
            read_branches(groups, instruction);
        else if (instruction.bytes == 0 || instruction.bytes > 32)
            throw std::out_of_range("an access has between 1 and 32 bytes");
        else
            read_groups(groups, instruction);
        kept += instruction.kept();
        if (kept > WarpRecord::kMost) throw std::out_of_range("the record of a warp is too long");
    }
    for (const json& each : object.value("memory", json::array()))
        record.memory.push_back({space_from(each.value("space", "")), each.value("name", ""),
                                 each.value("address", std::uint64_t{0}), each.value("bytes", std::uint64_t{0}),
                                 std::max(each.value("element", 1U), 1U)});
    return record;
}

std::string to_line(const WarpRecord& record) {
    return to_json(record).dump(-1, ' ', false, json::error_handler_t::replace);
}

WarpRecord warp_record_from_line(std::string_view line) { return warp_record_from_json(json::parse(line)); }

} // namespace warplight::profile
