// SPDX-License-Identifier: Apache-2.0
#include "cluster/sweep_results.hpp"

#include "cluster/platform.hpp"
#include "session/timing_statistics.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

namespace warplight::cluster {
namespace {

using nlohmann::json;
using session::PointState;

bool counts(const Collector::Entry& entry) {
    return entry.length > 0 && entry.median_ms > 0 && entry.state == static_cast<std::uint8_t>(PointState::measured);
}

json machine_json(const Machine& machine) {
    json object = {{"node", machine.node}, {"gpu", machine.gpu}, {"driver", machine.driver}};
    if (!machine.compute_capability.empty()) object["compute_capability"] = machine.compute_capability;
    if (machine.driver_version) object["driver_version"] = machine.driver_version;
    return object;
}

} // namespace

SweepResults::SweepResults(const Collector& collector, bool stopped, double seconds)
    : collector_(collector), points_(collector.campaign().session), stopped_(stopped), seconds_(seconds),
      best_(collector.gpus().size()), best_rounds_(collector.gpus().size()) {
    const auto& sweep = *collector.campaign().session.sweep;
    const auto& entries = collector.entries();
    for (std::uint64_t i = 0; i < entries.size(); ++i) {
        if (!counts(entries[i])) continue;
        auto& best = best_[entries[i].gpu];
        if (!best || entries[i].median_ms < entries[*best].median_ms) best = i;
    }
    for (std::size_t gpu = 0; gpu < best_.size(); ++gpu)
        if (best_[gpu])
            if (const auto point = raw(*best_[gpu])) best_rounds_[gpu] = medians_of(point->result);
    if (!sweep.where.empty() || sweep.sample > 0) numbers_ = points_.chosen();
}

std::vector<double> SweepResults::medians_of(const session::SweepPointResult& point) {
    std::vector<double> medians;
    medians.reserve(point.visits.size());
    for (const auto& visit : point.visits)
        medians.push_back(session::median_of(visit));
    return medians;
}

std::optional<CollectedPoint> SweepResults::raw(std::uint64_t index) const {
    auto record = collector_.read(index);
    if (!record) return std::nullopt;
    try {
        CollectedPoint point;
        point.result =
            session::sweep_point_from_json(record->body.at("result"), collector_.campaign().session.sweep->vary);
        point.roofline = record->body.value("roofline", "");
        point.machine = std::move(record->machine);
        return point;
    } catch (const session::SessionError&) {
        return std::nullopt;
    } catch (const json::exception&) {
        return std::nullopt;
    }
}

CollectedPoint SweepResults::point(std::uint64_t index) const {
    auto point = raw(index);
    if (!point) {
        CollectedPoint none;
        none.result.point = numbers_.empty() ? index : numbers_.at(index);
        none.result.values = points_.values_at(none.result.point);
        return none;
    }
    const auto gpu = collector_.entries()[index].gpu;
    point->best = best_[gpu] == index;
    auto& result = point->result;
    const bool timed = result.state == PointState::measured || result.state == PointState::slower;
    if (best_[gpu] && !point->best && timed && !result.visits.empty() && !best_rounds_[gpu].empty())
        result.against_best = session::compare_rounds(best_rounds_[gpu], medians_of(result));
    return std::move(*point);
}

session::SweepReport SweepResults::head() const {
    const auto& campaign = collector_.campaign();
    session::SweepReport report;
    report.title = campaign.session.title;
    report.session = campaign.session_path;
    report.kernel = campaign.session.kernel;
    report.time_of = campaign.session.sweep->time;
    report.axes = campaign.session.sweep->vary;
    report.product = points_.product();
    report.rounds = campaign.session.sweep->rounds;
    report.stopped = stopped_;
    report.seconds.wall = seconds_;
    return report;
}

int SweepResults::exit_code() const {
    if (stopped_ || !collector_.complete()) return session::exit_code(session::Status::cancelled);
    const auto& entries = collector_.entries();
    if (std::ranges::any_of(entries, counts)) return session::exit_code(session::Status::ok);
    auto report = head();
    for (std::uint64_t i = 0; i < entries.size() && report.points.empty(); ++i)
        report.points.push_back(point(i).result);
    return session::exit_code(report);
}

std::vector<CollectedPoint> SweepResults::fastest(std::size_t most) const {
    const auto& entries = collector_.entries();
    std::vector<std::uint64_t> all;
    for (std::uint64_t i = 0; i < entries.size(); ++i)
        if (counts(entries[i])) all.push_back(i);
    const auto shown = std::min(all.size(), most);
    std::ranges::partial_sort(all, all.begin() + static_cast<std::ptrdiff_t>(shown), {},
                              [&](std::uint64_t i) { return std::pair(entries[i].median_ms, i); });
    std::vector<CollectedPoint> points;
    points.reserve(shown);
    for (std::size_t i = 0; i < shown; ++i)
        points.push_back(point(all[i]));
    return points;
}

void SweepResults::write_json(const Write& write) const {
    const auto report = head();
    auto object = session::to_json(report);
    object.erase("points");
    object.erase("best");
    object.erase("compilations");
    object["seconds"] = {{"wall", seconds_}};
    object["exit_code"] = exit_code();
    object["missing"] = collector_.campaign().count - collector_.done();
    object["gpus"] = json::array();
    for (std::size_t gpu = 0; gpu < best_.size(); ++gpu) {
        const auto points = std::ranges::count_if(collector_.entries(),
                                                  [&](const auto& each) { return each.length > 0 && each.gpu == gpu; });
        json group = {{"gpu", collector_.gpus()[gpu]}, {"points", points}};
        if (best_[gpu]) group["best"] = *best_[gpu];
        object["gpus"].push_back(std::move(group));
    }
    // One best point is told only where all times are of one GPU.
    if (best_.size() == 1 && best_[0]) object["best"] = *best_[0];
    auto text = object.dump(2);
    text.erase(text.find_last_of('}'));
    text.erase(text.find_last_not_of(" \n") + 1);
    write(text + ",\n  \"points\": [");
    for (std::uint64_t i = 0; i < collector_.campaign().count; ++i) {
        const auto each = point(i);
        auto line = session::to_json(each.result, report.axes);
        if (!each.machine.node.empty()) line["machine"] = machine_json(each.machine);
        write((i ? ",\n    " : "\n    ") + line.dump());
    }
    write("\n  ]\n}\n");
}

void SweepResults::write_csv(const Write& write) const {
    write(session::csv_titles(collector_.campaign().session.sweep->vary) + ",gpu,node\n");
    for (std::uint64_t i = 0; i < collector_.campaign().count; ++i) {
        const auto each = point(i);
        write(fmt::format("{},{},{}\n", session::csv_row(each.result, each.best), session::csv_field(each.machine.gpu),
                          session::csv_field(each.machine.node)));
    }
}

session::SweepReport SweepResults::report_of(std::size_t gpu, std::size_t most_points) const {
    auto report = head();
    const auto& entries = collector_.entries();
    std::vector<std::uint64_t> all;
    for (std::uint64_t i = 0; i < entries.size(); ++i)
        if (entries[i].length > 0 && entries[i].gpu == gpu) all.push_back(i);
    const auto key = [&](std::uint64_t i) {
        const auto state = static_cast<PointState>(entries[i].state);
        const int rank = state == PointState::measured ? 0 : state == PointState::slower ? 1 : 2;
        return std::tuple(rank, rank < 2 ? entries[i].median_ms : 0, i);
    };
    const auto shown = std::min(all.size(), most_points);
    std::ranges::partial_sort(all, all.begin() + static_cast<std::ptrdiff_t>(shown), {}, key);
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (i >= shown) {
            ++report.unlisted[entries[all[i]].state];
            continue;
        }
        auto each = point(all[i]);
        if (each.best) report.best = report.points.size();
        if (!each.roofline.empty()) report.gpu = each.roofline;
        each.result.node = std::move(each.machine.node);
        report.points.push_back(std::move(each.result));
    }
    const auto here = platform::host_name();
    if (std::ranges::all_of(report.points, [&](const auto& each) { return each.node.empty() || each.node == here; }))
        for (auto& each : report.points)
            each.node.clear();
    return report;
}

std::string machine_text(const Machine& machine) {
    auto text = machine.node;
    if (!machine.gpu.empty()) text += fmt::format(", {}", machine.gpu);
    if (!machine.driver.empty()) text += fmt::format(", driver {}", machine.driver);
    constexpr int major = 1000, minor = 10; // as CUDA counts: 13000 is 13.0
    if (machine.driver_version)
        text += fmt::format(" {}.{}", machine.driver_version / major, machine.driver_version % major / minor);
    return text;
}

session::Report report_of(const CollectedPoint& point, const session::Session& session) {
    const auto& result = point.result;
    session::Report report;
    report.title = session.title;
    report.kernel = session.kernel;
    report.machine = point.machine.node;
    report.device.driver = point.machine.driver;
    report.device.name = point.machine.gpu;
    report.device.compute_capability = point.machine.compute_capability;
    report.grid = result.grid;
    report.block = result.block;
    report.shared = result.shared;
    report.launched = true;
    for (const auto& visit : result.visits)
        report.times.kernel_ms.insert(report.times.kernel_ms.end(), visit.begin(), visit.end());
    report.repeat = static_cast<int>(report.times.kernel_ms.size());
    report.clocks = result.clocks;
    report.empty_launch = result.empty_launch;
    if (result.registers) report.function["num_regs"] = result.registers;
    return report;
}

std::string SweepResults::text(std::size_t most_rows) const {
    std::string text;
    for (std::size_t gpu = 0; gpu < best_.size(); ++gpu) {
        const auto& name = collector_.gpus()[gpu];
        if (best_.size() > 1)
            text += fmt::format("{}On {}\n\n", text.empty() ? "" : "\n", name.empty() ? "no device" : name);
        text += session::to_text(report_of(gpu, most_rows), most_rows);
    }
    const auto& campaign = collector_.campaign();
    if (!collector_.complete())
        text += fmt::format("  {} of {} points have no result\n", campaign.count - collector_.done(), campaign.count);
    if (collector_.duplicates())
        text += fmt::format("  {} results of points that had one already were left out\n", collector_.duplicates());
    if (collector_.damaged()) text += fmt::format("  {} damaged lines were left out\n", collector_.damaged());
    return text;
}

} // namespace warplight::cluster
