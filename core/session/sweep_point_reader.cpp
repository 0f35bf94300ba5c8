// SPDX-License-Identifier: Apache-2.0
// Points of a sweep's report, back from JSON.
#include "session/sweep_report.hpp"

#include "session/session.hpp"

#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace warplight::session {
namespace {

using nlohmann::json;

PointState state_from(const std::string& name) {
    for (const auto state : {PointState::waiting, PointState::tried, PointState::measured, PointState::slower,
                             PointState::wrong, PointState::failed})
        if (state_name(state) == name) return state;
    throw SessionError(fmt::format("A result has the unknown state \"{}\".", name));
}

Interval interval_from(const json& list) { return {list.at(0).get<double>(), list.at(1).get<double>()}; }

PointFigures figures_from(const json& object) {
    PointFigures figures;
    if (object.contains("bytes")) figures.bytes = object.at("bytes").get<double>();
    if (object.contains("operations")) figures.operations = object.at("operations").get<double>();
    figures.gigabytes_a_second = object.value("gigabytes_a_second", 0.0);
    figures.gigaflops = object.value("gigaflops", 0.0);
    figures.part_of_memory_peak = object.value("part_of_memory_peak", 0.0);
    figures.part_of_peak = object.value("part_of_peak", 0.0);
    // The peaks themselves are not written.
    if (figures.part_of_memory_peak > 0) figures.memory_peak = figures.gigabytes_a_second / figures.part_of_memory_peak;
    if (figures.part_of_peak > 0) figures.peak = figures.gigaflops / figures.part_of_peak;
    figures.waves = object.value("waves", 0.0);
    figures.tail = object.value("tail", 0.0);
    return figures;
}

Difference difference_from(const json& object) {
    Difference difference;
    difference.ratio = object.at("ratio").get<double>();
    difference.interval = interval_from(object.at("interval"));
    difference.p = object.at("p").get<double>();
    difference.rounds = object.at("rounds").get<std::size_t>();
    difference.seen = object.at("difference_seen").get<bool>();
    return difference;
}

void read_times(const json& object, SweepPointResult& point) {
    point.visits = object.at("rounds").get<std::vector<std::vector<double>>>();
    point.median_ms = object.at("median_ms").get<double>();
    point.interval_ms = interval_from(object.at("interval_ms"));
    point.min_ms = object.at("min_ms").get<double>();
    point.outliers = object.at("outliers").get<std::size_t>();
}

} // namespace

SweepPointResult sweep_point_from_json(const json& object, const std::vector<SweepAxis>& axes) {
    try {
        SweepPointResult point;
        point.point = object.at("point").get<std::uint64_t>();
        point.state = state_from(object.at("state").get<std::string>());
        point.values.reserve(axes.size());
        for (const auto& axis : axes)
            point.values.push_back(object.at("values").at(axis.name).get<std::string>());
        if (const auto error = object.find("error"); error != object.end()) {
            point.kind = error->at("kind").get<std::string>();
            point.message = error->at("message").get<std::string>();
        }
        if (const auto launch = object.find("launch"); launch != object.end()) {
            point.grid = launch->at("grid").get<std::vector<std::uint32_t>>();
            point.block = launch->at("block").get<std::vector<std::uint32_t>>();
            point.shared = launch->at("shared").get<std::uint64_t>();
        }
        point.device = object.value("device", "");
        point.registers = object.value("registers", 0);
        point.trial_ms = object.value("trial_ms", 0.0);
        if (object.contains("rounds"))
            read_times(object, point);
        else
            point.median_ms = point.min_ms = point.trial_ms;
        if (object.contains("clocks")) point.clocks = clocks_from_json(object.at("clocks"));
        if (object.contains("empty_launch")) point.empty_launch = empty_launch_from_json(object.at("empty_launch"));
        if (object.contains("against_best")) point.against_best = difference_from(object.at("against_best"));
        if (object.contains("figures")) point.figures = figures_from(object.at("figures"));
        return point;
    } catch (const json::exception& error) {
        throw SessionError(fmt::format("A result is malformed: {}", error.what()));
    }
}

} // namespace warplight::session
