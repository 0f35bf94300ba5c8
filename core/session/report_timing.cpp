// SPDX-License-Identifier: Apache-2.0
#include "session/report_timing.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace warplight::session {
namespace {

using driver::ClockLimit;

void widen(std::optional<ClockRange>& range, const std::optional<ClockRange>& other) {
    if (!other) return;
    if (!range) range = other;
    range->low = std::min(range->low, other->low);
    range->high = std::max(range->high, other->high);
}

template <class Value>
void raise(std::optional<Value>& value, const std::optional<Value>& other) {
    if (other && (!value || *value < *other)) value = other;
}

void write_range(nlohmann::json& object, const char* key, const std::optional<ClockRange>& range) {
    if (range) object[key] = nlohmann::json::array({range->low, range->high});
}

std::optional<ClockRange> read_range(const nlohmann::json& object, const char* key) {
    if (!object.contains(key)) return {};
    return ClockRange{object.at(key).at(0).get<unsigned>(), object.at(key).at(1).get<unsigned>()};
}

template <class Value>
void write_known(nlohmann::json& object, const char* key, const std::optional<Value>& value) {
    if (value) object[key] = *value;
}

template <class Value>
void read_known(const nlohmann::json& object, const char* key, std::optional<Value>& value) {
    if (object.contains(key)) value = object.at(key).get<Value>();
}

std::string range_text(const ClockRange& range) {
    return range.low == range.high ? fmt::format("{}", range.low) : fmt::format("{} … {}", range.low, range.high);
}

std::string limits_text(const ReportClocks& clocks, bool settings) {
    std::vector<std::string> words;
    for (const ClockLimit limit : clocks.held_by)
        if (is_setting(limit) == settings) words.push_back(limit_text(limit));
    return fmt::format("{}", fmt::join(words, ", "));
}

} // namespace

bool is_setting(ClockLimit limit) {
    return limit == ClockLimit::applications_setting || limit == ClockLimit::sync_boost ||
           limit == ClockLimit::display_setting;
}

bool ReportClocks::throttled() const { return !std::ranges::all_of(held_by, is_setting); }

double ReportClocks::change() const {
    return sm_mhz && sm_mhz->high > 0 ? static_cast<double>(sm_mhz->high - sm_mhz->low) / sm_mhz->high : 0;
}

bool ReportClocks::changed() const { return change() > most_clock_change; }

void ReportClocks::add(const ReportClocks& other) {
    samples += other.samples;
    widen(sm_mhz, other.sm_mhz);
    widen(memory_mhz, other.memory_mhz);
    raise(most_sm_mhz, other.most_sm_mhz);
    raise(most_memory_mhz, other.most_memory_mhz);
    raise(temperature_c, other.temperature_c);
    raise(power_w, other.power_w);
    for (const ClockLimit limit : other.held_by)
        if (std::ranges::find(held_by, limit) == held_by.end()) held_by.push_back(limit);
    std::ranges::sort(held_by);
    split = split || other.split;
}

nlohmann::json to_json(const ReportClocks& clocks) {
    nlohmann::json object = {{"samples", clocks.samples}};
    write_range(object, "sm_mhz", clocks.sm_mhz);
    write_known(object, "most_sm_mhz", clocks.most_sm_mhz);
    write_range(object, "memory_mhz", clocks.memory_mhz);
    write_known(object, "most_memory_mhz", clocks.most_memory_mhz);
    write_known(object, "temperature_c", clocks.temperature_c);
    write_known(object, "power_w", clocks.power_w);
    nlohmann::json& names = object["held_by"] = nlohmann::json::array();
    for (const ClockLimit limit : clocks.held_by)
        names.push_back(driver::name_of(limit));
    object["throttled"] = clocks.throttled();
    object["changed"] = clocks.changed();
    if (clocks.split) object["split"] = true;
    return object;
}

ReportClocks clocks_from_json(const nlohmann::json& object) {
    ReportClocks clocks;
    clocks.samples = object.value("samples", 0);
    clocks.sm_mhz = read_range(object, "sm_mhz");
    read_known(object, "most_sm_mhz", clocks.most_sm_mhz);
    clocks.memory_mhz = read_range(object, "memory_mhz");
    read_known(object, "most_memory_mhz", clocks.most_memory_mhz);
    read_known(object, "temperature_c", clocks.temperature_c);
    read_known(object, "power_w", clocks.power_w);
    for (const auto& name : object.value("held_by", std::vector<std::string>()))
        if (const auto limit = driver::clock_limit_from(name)) clocks.held_by.push_back(*limit);
    clocks.split = object.value("split", false);
    return clocks;
}

nlohmann::json to_json(const ReportEmptyLaunch& launch) {
    return {{"kind", launch.kind}, {"ms", launch.ms}, {"runs", launch.runs}};
}

ReportEmptyLaunch empty_launch_from_json(const nlohmann::json& object) {
    return {object.at("kind"), object.at("ms"), object.value("runs", 0)};
}

std::string limit_text(ClockLimit limit) {
    switch (limit) {
    case ClockLimit::applications_setting: return "clocks that were set for applications";
    case ClockLimit::power_cap: return "the power cap";
    case ClockLimit::hardware_slowdown: return "a slowdown by the hardware";
    case ClockLimit::sync_boost: return "other GPUs of its group";
    case ClockLimit::thermal: return "heat";
    case ClockLimit::hardware_thermal: return "heat, by the hardware";
    case ClockLimit::power_brake: return "the machine's power supply";
    case ClockLimit::display_setting: return "clocks that were set for the display";
    }
    return {};
}

std::string clocks_text(const ReportClocks& clocks) {
    std::vector<std::string> parts;
    const auto add = [&](const char* name, const std::optional<ClockRange>& range,
                         const std::optional<unsigned>& most) {
        if (range)
            parts.push_back(fmt::format("{} {}{} MHz", name, range_text(*range),
                                        most ? fmt::format(" of {}", *most) : std::string()));
    };
    add("SM", clocks.sm_mhz, clocks.most_sm_mhz);
    add("memory", clocks.memory_mhz, clocks.most_memory_mhz);
    if (clocks.temperature_c) parts.push_back(fmt::format("{} °C", *clocks.temperature_c));
    if (clocks.power_w) parts.push_back(fmt::format("{:.0f} W", *clocks.power_w));
    if (clocks.split) parts.emplace_back("of the whole GPU, which is split");
    return fmt::format("{}", fmt::join(parts, ", "));
}

std::vector<std::string> clock_notes(const ReportClocks& clocks) {
    std::vector<std::string> notes;
    if (clocks.throttled())
        notes.push_back(fmt::format("Throttled: the clocks were held down by {}.", limits_text(clocks, false)));
    if (clocks.changed())
        notes.push_back(
            fmt::format("The SM clock changed by {:.0f} % while the runs were measured.", clocks.change() * 100));
    if (const auto settings = limits_text(clocks, true); !settings.empty())
        notes.push_back(fmt::format("The clocks are held by {}.", settings));
    return notes;
}

} // namespace warplight::session
