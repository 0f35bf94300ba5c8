// SPDX-License-Identifier: Apache-2.0
#include "cluster/collector.hpp"

#include "files/input_file.hpp"
#include "session/session.hpp"
#include "session/sweep_report.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>
#include <system_error>
#include <utility>

namespace warplight::cluster {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t piece_of_log = std::size_t{1} << 18;

Machine machine_from(const json& object) {
    Machine machine;
    machine.node = object.value("node", "");
    machine.driver = object.value("driver", "");
    machine.gpu = object.value("gpu", "");
    machine.compute_capability = object.value("compute_capability", "");
    machine.driver_version = object.value("driver_version", 0);
    return machine;
}

/// @throws json::exception where it is no state
std::uint8_t state_of(const json& result) {
    const auto& name = result.at("state").get_ref<const std::string&>();
    for (const auto state : {session::PointState::measured, session::PointState::slower, session::PointState::wrong,
                             session::PointState::failed})
        if (session::state_name(state) == name) return static_cast<std::uint8_t>(state);
    return static_cast<std::uint8_t>(session::PointState::waiting);
}

} // namespace

Collector::Collector(const Campaign& campaign)
    : campaign_(campaign), split_(campaign.split()), entries_(campaign.count) {
    left_.reserve(campaign.tasks);
    for (std::uint64_t task = 0; task < campaign.tasks; ++task)
        left_.push_back(split_.size_of(task));
}

std::uint16_t Collector::gpu_index(const std::string& name) {
    const auto found = std::ranges::find(gpus_, name);
    if (found != gpus_.end()) return static_cast<std::uint16_t>(found - gpus_.begin());
    // A cluster has a few kinds; a log that invents them fills no memory.
    if (gpus_.size() == std::numeric_limits<std::uint8_t>::max()) return static_cast<std::uint16_t>(gpus_.size() - 1);
    gpus_.push_back(name);
    return static_cast<std::uint16_t>(gpus_.size() - 1);
}

void Collector::take(std::uint32_t log, const Record& record, std::uint64_t& gained) {
    if (record.point >= campaign_.count || split_.task_of(record.point) != logs_[log].task) {
        ++logs_[log].refused;
        return;
    }
    auto& entry = entries_[record.point];
    const bool known = entry.length > 0;
    if (known) {
        ++duplicates_;
        if (std::pair(logs_[entry.log].name, entry.offset) < std::pair(logs_[log].name, record.offset)) return;
    }
    try {
        const auto body = json::parse(record.body);
        Entry taken;
        taken.offset = record.offset;
        taken.log = log;
        taken.length = static_cast<std::uint32_t>(record.length);
        if (campaign_.kind == CampaignKind::sweep) {
            const auto& result = body.at("result");
            taken.state = state_of(result);
            taken.median_ms = result.value("median_ms", 0.0);
        }
        taken.gpu = gpu_index(machine_from(body.at("machine")).gpu);
        entry = taken;
    } catch (const json::exception&) {
        ++logs_[log].refused;
        return;
    }
    if (known) return;
    --left_[logs_[log].task];
    ++done_;
    ++gained;
}

std::uint64_t Collector::refresh() {
    std::uint64_t gained = 0;
    std::error_code code;
    for (const auto& entry : fs::directory_iterator(campaign_.results(), code)) {
        const auto text = entry.path().filename().string();
        auto known = known_.find(text);
        if (known == known_.end()) {
            const auto name = LogName::parse(text);
            if (!name || name->task >= campaign_.tasks) continue;
            known = known_.emplace(text, static_cast<std::uint32_t>(logs_.size())).first;
            logs_.push_back({text, name->task, {}, 0});
        }
        const auto index = known->second;
        std::error_code none;
        if (entry.file_size(none) <= logs_[index].reader.offset() || none) continue;
        const files::InputFile file(entry.path());
        std::vector<std::byte> piece(piece_of_log);
        while (const auto count = file.read_some(logs_[index].reader.offset(), piece)) {
            bytes_ += count;
            logs_[index].reader.feed({reinterpret_cast<const char*>(piece.data()), count},
                                     [&](const Record& record) { take(index, record, gained); });
        }
    }
    if (code && !fs::exists(campaign_.results()))
        throw session::SessionError("The folder " + campaign_.results().string() + " is gone: " + code.message() + ".");
    return gained;
}

std::uint64_t Collector::damaged() const {
    std::uint64_t sum = 0;
    for (const auto& log : logs_)
        sum += log.reader.damaged() + log.refused;
    return sum;
}

std::vector<std::uint64_t> Collector::tasks_left() const {
    std::vector<std::uint64_t> tasks;
    for (std::uint64_t task = 0; task < left_.size(); ++task)
        if (left_[task] > 0) tasks.push_back(task);
    return tasks;
}

std::optional<CollectedRecord> Collector::read(std::uint64_t point) const {
    const auto& entry = entries_.at(point);
    if (entry.length == 0) return std::nullopt;
    try {
        const files::InputFile file(campaign_.results() / logs_[entry.log].name);
        std::string line(entry.length, '\0');
        file.read(entry.offset, std::as_writable_bytes(std::span(line)));
        const auto record = parse_record(std::string_view(line).substr(0, line.size() - 1));
        if (!record || record->point != point) return std::nullopt;
        CollectedRecord result;
        result.body = json::parse(record->body);
        result.machine = machine_from(result.body.at("machine"));
        return result;
    } catch (const files::InputError&) {
        return std::nullopt;
    } catch (const json::exception&) {
        return std::nullopt;
    }
}

} // namespace warplight::cluster
