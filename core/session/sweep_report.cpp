// SPDX-License-Identifier: Apache-2.0
#include "session/sweep_report.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

namespace warplight::session {
namespace {

using nlohmann::json;

json write(const Interval& interval) { return json::array({interval.low, interval.high}); }

json write(const PointFigures& figures) {
    json object = json::object();
    if (figures.bytes) {
        object["bytes"] = *figures.bytes;
        object["gigabytes_a_second"] = figures.gigabytes_a_second;
        if (figures.memory_peak > 0) object["part_of_memory_peak"] = figures.part_of_memory_peak;
    }
    if (figures.operations) {
        object["operations"] = *figures.operations;
        object["gigaflops"] = figures.gigaflops;
        if (figures.peak > 0) object["part_of_peak"] = figures.part_of_peak;
    }
    if (figures.waves > 0) {
        object["waves"] = figures.waves;
        object["tail"] = figures.tail;
    }
    return object;
}

json write(const Difference& difference) {
    return {{"ratio", difference.ratio},
            {"interval", write(difference.interval)},
            {"p", difference.p},
            {"rounds", difference.rounds},
            {"difference_seen", difference.seen}};
}

json written(const SweepPointResult& point, const std::vector<SweepAxis>& axes) {
    json object = {{"point", point.point}, {"state", state_name(point.state)}};
    json& values = object["values"] = json::object();
    for (std::size_t i = 0; i < axes.size(); ++i)
        values[axes[i].name] = point.values[i];
    if (!point.message.empty()) object["error"] = {{"kind", point.kind}, {"message", point.message}};
    if (!point.grid.empty())
        object["launch"] = {{"grid", point.grid}, {"block", point.block}, {"shared", point.shared}};
    if (!point.device.empty()) object["device"] = point.device;
    if (point.registers) object["registers"] = point.registers;
    if (point.trial_ms > 0) object["trial_ms"] = point.trial_ms;
    if (!point.visits.empty()) {
        object["rounds"] = point.visits;
        object["median_ms"] = point.median_ms;
        object["interval_ms"] = write(point.interval_ms);
        object["min_ms"] = point.min_ms;
        object["outliers"] = point.outliers;
    }
    if (point.clocks) object["clocks"] = to_json(*point.clocks);
    if (point.empty_launch) {
        object["empty_launch"] = to_json(*point.empty_launch);
        object["mostly_launch"] = point.is_mostly_launch();
    }
    if (point.against_best) object["against_best"] = write(*point.against_best);
    if (auto figures = write(point.figures); !figures.empty()) object["figures"] = std::move(figures);
    return object;
}

/// A field of CSV, between quotation marks where it needs them. A leading sign of a formula would be computed by a
/// spreadsheet.
std::string field(std::string text) {
    if (!text.empty() && (text[0] == '=' || text[0] == '@')) text.insert(0, "'");
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"') quoted += '"';
        quoted += c;
    }
    return quoted + '"';
}

std::string csv_number(double value) { return json(value).dump(); }
std::string number_or_nothing(double value, bool there) { return there ? csv_number(value) : std::string(); }

} // namespace

std::string_view state_name(PointState state) {
    switch (state) {
    case PointState::waiting: return "waiting";
    case PointState::tried: return "tried";
    case PointState::measured: return "measured";
    case PointState::slower: return "slower";
    case PointState::wrong: return "wrong";
    default: return "failed";
    }
}

std::size_t SweepPointResult::runs() const {
    std::size_t count = 0;
    for (const auto& visit : visits)
        count += visit.size();
    return count;
}

std::size_t SweepReport::count(PointState state) const {
    return static_cast<std::size_t>(std::ranges::count(points, state, &SweepPointResult::state)) +
           unlisted[static_cast<std::size_t>(state)];
}

std::size_t SweepReport::all() const {
    return points.size() + std::accumulate(unlisted.begin(), unlisted.end(), std::size_t{0});
}

std::size_t SweepReport::doubtful_clocks() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(points, [](const auto& point) { return point.has_doubtful_clocks(); }));
}

std::optional<ReportClocks> SweepReport::clocks() const {
    std::optional<ReportClocks> all;
    for (const auto& point : points) {
        if (!point.clocks) continue;
        if (all)
            all->add(*point.clocks);
        else
            all = point.clocks;
    }
    return all;
}

Standing standing_of(const SweepReport& report, std::size_t index) {
    const auto& point = report.points[index];
    if (report.best == index) return Standing::best;
    if (point.state == PointState::slower) return Standing::far_slower;
    if (point.state != PointState::measured || !point.against_best) return Standing::none;
    if (point.against_best->rounds < least_rounds) return Standing::untested;
    return point.against_best->seen ? Standing::slower : Standing::indistinguishable;
}

std::vector<std::size_t> fastest_first(const SweepReport& report) {
    std::vector<std::size_t> order(report.points.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto group = [&](std::size_t i) {
        switch (report.points[i].state) {
        case PointState::measured: return 0;
        case PointState::tried:
        case PointState::slower: return 1;
        case PointState::wrong: return 2;
        case PointState::failed: return 3;
        default: return 4;
        }
    };
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
        if (group(a) != group(b)) return group(a) < group(b);
        const double first = report.points[a].median_ms, second = report.points[b].median_ms;
        return group(a) < 2 && first != second ? first < second : a < b;
    });
    return order;
}

int exit_code(const SweepReport& report) {
    if (report.stopped) return exit_code(Status::cancelled);
    if (report.count(PointState::measured)) return exit_code(Status::ok);
    for (const auto& point : report.points) {
        if (point.state == PointState::wrong) return exit_code(Status::expectation_failed);
        if (point.state != PointState::failed) continue;
        if (point.kind == "compile") return exit_code(Status::compile_error);
        return exit_code(point.kind == "input" ? Status::input_error : Status::device_error);
    }
    return exit_code(Status::ok);
}

nlohmann::json to_json(const SweepReport& report) {
    json object;
    if (!report.title.empty()) object["title"] = report.title;
    if (!report.session.empty()) object["session"] = report.session;
    object["kernel"] = report.kernel;
    if (!report.time_of.empty()) object["time_of"] = report.time_of;
    for (const auto& axis : report.axes)
        object["axes"].push_back({{"name", axis.name}, {"values", axis.values}});
    object["product"] = report.product;
    object["rounds"] = report.rounds;
    object["stopped"] = report.stopped;
    object["exit_code"] = exit_code(report);
    object["confidence"] = confidence;
    object["level"] = level_of_test;
    object["test"] = "permutation of signs of the rounds' log ratios, two-sided";
    if (!report.gpu.empty()) object["gpu"] = report.gpu;
    if (const auto clocks = report.clocks()) {
        object["clocks"] = to_json(*clocks);
        object["doubtful_clocks"] = report.doubtful_clocks();
    }
    if (report.best) object["best"] = *report.best;
    object["points"] = json::array();
    for (const auto& point : report.points)
        object["points"].push_back(written(point, report.axes));
    object["compilations"] = report.compilations;
    object["seconds"] = {{"wall", report.seconds.wall},
                         {"sum_of_runs", report.seconds.runs},
                         {"compile", report.seconds.compile},
                         {"compile_wall", report.seconds.compile_wall},
                         {"load", report.seconds.load}};
    return object;
}

json to_json(const SweepPointResult& point, const std::vector<SweepAxis>& axes) { return written(point, axes); }

std::string csv_titles(const std::vector<SweepAxis>& axes) {
    std::string text;
    for (const auto& axis : axes)
        text += field(axis.name) + ',';
    return text + "state,best,median_ms,low_ms,high_ms,min_ms,runs,outliers,empty_launch_ms,doubtful_clocks,ratio,"
                  "ratio_low,ratio_high,p,difference_seen,gigabytes_a_second,gigaflops,waves,tail,message";
}

std::string csv_field(std::string text) { return field(std::move(text)); }

std::string csv_row(const SweepPointResult& point, bool best) {
    std::string text;
    const auto& against = point.against_best;
    const bool timed = point.runs() > 0;
    for (const auto& value : point.values)
        text += field(value) + ',';
    const auto add = [&](const std::string& value) { text += value + ','; };
    add(std::string(state_name(point.state)));
    add(best ? "1" : "0");
    add(number_or_nothing(point.median_ms, timed));
    add(number_or_nothing(point.interval_ms.low, timed));
    add(number_or_nothing(point.interval_ms.high, timed));
    add(number_or_nothing(point.min_ms, timed));
    add(std::to_string(point.runs()));
    add(std::to_string(point.outliers));
    add(point.empty_launch ? csv_number(point.empty_launch->ms) : "");
    add(point.clocks ? (point.has_doubtful_clocks() ? "1" : "0") : "");
    add(against ? csv_number(against->ratio) : "");
    add(against ? csv_number(against->interval.low) : "");
    add(against ? csv_number(against->interval.high) : "");
    add(against ? csv_number(against->p) : "");
    add(against ? (against->seen ? "1" : "0") : "");
    add(number_or_nothing(point.figures.gigabytes_a_second, timed && point.figures.bytes));
    add(number_or_nothing(point.figures.gigaflops, timed && point.figures.operations));
    add(number_or_nothing(point.figures.waves, point.figures.waves > 0));
    add(number_or_nothing(point.figures.tail, point.figures.waves > 0));
    return text + field(point.message);
}

std::string to_csv(const SweepReport& report) {
    std::string text = csv_titles(report.axes) + '\n';
    for (std::size_t i = 0; i < report.points.size(); ++i)
        text += csv_row(report.points[i], report.best == i) + '\n';
    return text;
}

} // namespace warplight::session
