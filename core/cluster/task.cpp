// SPDX-License-Identifier: Apache-2.0
#include "cluster/task.hpp"

#include "cluster/campaign_files.hpp"
#include "cluster/grade_results.hpp"
#include "cluster/platform.hpp"
#include "cluster/records.hpp"
#include "files/input_file.hpp"
#include "session/data_file.hpp"
#include "session/exercise_runner.hpp"
#include "session/sweep_points.hpp"
#include "session/sweep_runner.hpp"
#include "worker/exercise_workers.hpp"
#include "worker/run_access.hpp"
#include "worker/sweep_workers.hpp"
#include "worker/thread_start.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <fmt/format.h>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <thread>
#include <utility>

namespace warplight::cluster {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using session::SessionError;

/// Points of a task whose results other attempts have written.
std::vector<bool> points_done(const Campaign& campaign, std::uint64_t task) {
    std::vector<bool> done(campaign.count);
    std::error_code code;
    for (const auto& entry : fs::directory_iterator(campaign.results(), code)) {
        const auto name = LogName::parse(entry.path().filename().string());
        if (!name || name->task != task) continue;
        const files::InputFile file(entry.path());
        RecordReader reader;
        std::vector<std::byte> piece(std::size_t{1} << 20);
        std::uint64_t offset = 0;
        while (const auto count = file.read_some(offset, piece)) {
            reader.feed({reinterpret_cast<const char*>(piece.data()), count}, [&](const Record& record) {
                if (record.point < campaign.count) done[record.point] = true;
            });
            offset += count;
        }
    }
    return done;
}

class Task {
public:
    Task(const Campaign& campaign, const TaskOptions& options)
        : campaign_(campaign), options_(options), run_(campaign.run_options()), point_seconds_(campaign.point_seconds) {
        workers_.run = run_;
        workers_.confined = campaign.conditions.confined;
        workers_.memory_limit = campaign.conditions.memory_limit;
        workers_.timeout = campaign.conditions.timeout;
        workers_.cancelled = options.cancelled;
    }

    TaskEnd run();

private:
    void find_points();
    [[nodiscard]] std::vector<std::uint64_t> take();
    void run_lane(int gpu);
    void run_sweep_points(const session::Session& session, worker::SweepWorkers& device, const json& machine);
    void run_solutions(const session::Session& session, const json& machine);
    void write(const std::string& lines, std::size_t points, double seconds);
    [[nodiscard]] json machine_of(worker::SweepWorkers& device, const session::Session& session) const;
    [[nodiscard]] bool stopped() const { return cancelled() || (options_.stopped && options_.stopped()); }
    [[nodiscard]] bool may_be_told(bool failures) const;
    [[nodiscard]] bool cancelled() const { return options_.cancelled && options_.cancelled(); }

    const Campaign& campaign_;
    const TaskOptions& options_;
    const session::RunOptions run_;
    worker::SweepWorkersOptions workers_;
    std::vector<std::uint64_t> chosen_; ///< numbers of a sweep's points
    std::optional<RecordLog> log_;
    std::mutex mutex_;
    std::vector<std::uint64_t> missing_; ///< points
    std::size_t next_ = 0;
    double point_seconds_;
    double best_ms_ = 0; ///< of the points so far
    std::exception_ptr problem_;
    TaskEnd end_;
};

void Task::find_points() {
    const auto points = campaign_.split().points_of(options_.task);
    if (points.empty())
        throw SessionError(fmt::format("The campaign has no task {}; it has {}.", options_.task, campaign_.tasks));
    const auto done = points_done(campaign_, options_.task);
    for (const auto point : points)
        if (!done[point]) missing_.push_back(point);
    end_.points = points.size();
    end_.before = points.size() - missing_.size();
    if (campaign_.kind != CampaignKind::sweep || missing_.empty()) return;
    chosen_ = session::SweepPoints(campaign_.session).chosen();
    if (chosen_.size() != campaign_.count)
        throw SessionError(fmt::format("The campaign has {} points, and its sweep has {} here. Use the version of "
                                       "Warplight that made the campaign.",
                                       campaign_.count, chosen_.size()));
}

/// Who ends a job ends its workers at the same moment, and that is no result of their points. So failures are told only
/// where this process lives a little longer and is not to end.
bool Task::may_be_told(bool failures) const {
    constexpr auto moment = std::chrono::milliseconds(500);
    if (!failures) return true;
    std::this_thread::sleep_for(moment);
    return !stopped();
}

/// The next group of points. Empty: there is nothing more to do.
std::vector<std::uint64_t> Task::take() {
    if (stopped()) return {};
    const std::lock_guard lock(mutex_);
    if (problem_) return {};
    const auto left = missing_.size() - next_;
    const auto lanes = std::max<std::size_t>(options_.gpus.size(), 1);
    const auto size = std::min(group_size(point_seconds_), (left + lanes - 1) / lanes);
    const auto from = missing_.begin() + static_cast<std::ptrdiff_t>(next_);
    next_ += size;
    return {from, from + static_cast<std::ptrdiff_t>(size)};
}

void Task::write(const std::string& lines, std::size_t points, double seconds) {
    const std::lock_guard lock(mutex_);
    if (!log_) log_.emplace(campaign_.results(), options_.task, options_.attempt);
    log_->append(lines);
    end_.done += points;
    if (points) point_seconds_ = seconds / static_cast<double>(points);
}

/// As the cluster calls this machine.
std::string node_name() {
    const char* name = std::getenv("SLURMD_NODENAME");
    return name && *name ? name : platform::host_name();
}

json Task::machine_of(worker::SweepWorkers& device, const session::Session& session) const {
    const auto answer = device.devices(session);
    const auto ordinal = static_cast<std::size_t>(session::parse_device(session.device).ordinal);
    const auto list = answer.value("devices", json::array());
    if (!cancelled() && ordinal >= list.size())
        throw SessionError(fmt::format("{} has no device {} for this campaign: {}", platform::host_name(),
                                       session.device, answer.value("problem", "its driver names none.")));
    json machine = {{"node", node_name()}, {"driver", answer.value("driver", "")}};
    if (ordinal < list.size()) {
        machine["gpu"] = list[ordinal].value("name", "");
        machine["compute_capability"] = list[ordinal].value("compute_capability", "");
        machine["driver_version"] = answer.value("driver_version", 0);
    }
    return machine;
}

void Task::run_sweep_points(const session::Session& session, worker::SweepWorkers& device, const json& machine) {
    while (true) {
        const auto group = take();
        if (group.empty()) return;
        session::SweepOptions sweep{.run = run_, .gpu = campaign_.conditions.roofline, .agreed = true};
        sweep.run.profile = campaign_.conditions.profile;
        auto& only = sweep.only.emplace();
        only.reserve(group.size());
        for (const auto point : group)
            only.push_back(chosen_[point]);
        {
            const std::lock_guard lock(mutex_);
            sweep.best_ms = best_ms_;
        }
        session::SweepHooks hooks;
        hooks.cancelled = [this] { return cancelled(); };
        session::SweepReport report;
        try {
            report = session::run_sweep(session, device, sweep, hooks);
        } catch (const SessionError&) {
            if (cancelled()) return;
            throw;
        }
        std::string lines;
        std::size_t written = 0;
        const bool failures = may_be_told(report.count(session::PointState::failed) > 0);
        for (std::size_t i = 0; i < report.points.size(); ++i) {
            auto& point = report.points[i];
            using session::PointState;
            // One that the user has stopped in the middle runs again.
            if (point.state == PointState::waiting || point.state == PointState::tried ||
                (report.stopped && point.state == PointState::measured) ||
                (!failures && point.state == PointState::failed))
                continue;
            point.against_best.reset(); // of this group alone
            json body = {{"machine", machine}, {"result", session::to_json(point, report.axes)}};
            if (!point.device.empty()) body["machine"]["gpu"] = point.device;
            if (!report.gpu.empty()) body["roofline"] = report.gpu;
            lines += record_line(group[i], body.dump());
            ++written;
        }
        if (written) write(lines, written, report.seconds.wall);
        if (report.best) {
            const std::lock_guard lock(mutex_);
            const double best = report.points[*report.best].min_ms;
            best_ms_ = best_ms_ > 0 ? std::min(best_ms_, best) : best;
        }
        if (report.stopped) return;
    }
}

void Task::run_solutions(const session::Session& session, const json& machine) {
    auto workers = workers_;
    workers.timeout = {};
    workers.access = {};
    if (workers.confined) workers.access = worker::access_of_exercise(session, run_);
    while (true) {
        for (const auto point : take()) {
            if (stopped()) return;
            const auto start = std::chrono::steady_clock::now();
            const auto& solution = campaign_.solutions[point];
            const auto source = files::read_text(campaign_.folder / "files" / session::path_from_utf8(solution.path),
                                                 files::Kind::source);
            worker::ExerciseWorkers device(workers);
            session::ExerciseHooks hooks;
            hooks.cancelled = [this] { return cancelled(); };
            session::ExerciseLimits limits;
            limits.seconds = campaign_.conditions.case_seconds;
            const auto cases = session::run_exercise(session, source, run_, device, limits, hooks);
            const bool failures = std::ranges::any_of(cases, [](const auto& each) {
                using session::CaseOutcome;
                return each.outcome == CaseOutcome::crash || each.outcome == CaseOutcome::device_error ||
                       each.outcome == CaseOutcome::compile_error || each.outcome == CaseOutcome::memory;
            });
            if (cancelled() || !may_be_told(failures)) return;
            const json body = {{"machine", machine}, {"cases", cases_to_json(cases)}};
            write(record_line(point, body.dump()), 1,
                  std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
        }
        const std::lock_guard lock(mutex_);
        if (next_ >= missing_.size() || problem_ || stopped()) return;
    }
}

void Task::run_lane(int gpu) {
    auto session = campaign_.session;
    if (gpu >= 0) session.device = fmt::format("cuda:{}", gpu);
    auto workers = workers_;
    if (workers.confined) workers.access = worker::access_of({session, run_});
    worker::SweepWorkers device(std::move(workers));
    const auto machine = machine_of(device, session);
    if (campaign_.kind == CampaignKind::sweep)
        run_sweep_points(session, device, machine);
    else
        run_solutions(session, machine);
}

TaskEnd Task::run() {
    if (auto changed = changed_file(campaign_.files, campaign_.folder / "files"); !changed.empty())
        throw SessionError(changed);
    find_points();
    if (missing_.empty()) return end_;
    const auto guarded = [this](int gpu) {
        try {
            run_lane(gpu);
        } catch (...) {
            const std::lock_guard lock(mutex_);
            if (!problem_) problem_ = std::current_exception();
        }
    };
    std::vector<std::thread> others;
    others.reserve(options_.gpus.size());
    for (std::size_t i = 1; i < options_.gpus.size(); ++i)
        others.push_back(worker::start_thread([&guarded, gpu = options_.gpus[i]] { guarded(gpu); }));
    guarded(options_.gpus.empty() ? -1 : options_.gpus.front());
    for (auto& each : others)
        each.join();
    if (problem_) std::rethrow_exception(problem_);
    return end_;
}

} // namespace

std::size_t group_size(double point_seconds) {
    constexpr double group_seconds = 30;
    constexpr std::size_t most = 256, unknown = 8;
    if (point_seconds <= 0) return unknown;
    return std::clamp<std::size_t>(static_cast<std::size_t>(std::min(group_seconds / point_seconds, 1e6)), 1, most);
}

TaskEnd run_task(const Campaign& campaign, const TaskOptions& options) { return Task(campaign, options).run(); }

} // namespace warplight::cluster
