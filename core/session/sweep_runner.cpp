// SPDX-License-Identifier: Apache-2.0
#include "session/sweep_runner.hpp"

#include "profile/roofline.hpp"
#include "session/pipeline_plan.hpp"
#include "session/random.hpp"
#include "session/report_words.hpp"
#include "session/sweep_figures.hpp"
#include "session/sweep_points.hpp"
#include "session/sweep_values.hpp"
#include "session/timing_kernels.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

namespace warplight::session {
namespace {

using clock = std::chrono::steady_clock;

double seconds_since(clock::time_point start) { return std::chrono::duration<double>(clock::now() - start).count(); }

std::string duration_text(double seconds) {
    if (seconds < 90) return fmt::format("{:.0f} s", std::ceil(seconds));
    if (seconds < 90 * 60) return fmt::format("{:.0f} min", seconds / 60);
    if (seconds < 48 * 3600) return fmt::format("{:.0f} h", seconds / 3600);
    return fmt::format("{:.0f} days", seconds / 86400);
}

/// Sessions with the same key are compiled once.
std::string compilation_key(const Session& session) {
    std::string key = fmt::format("{}\n{}\n{}\n", session.compile.compiler, session.compile.arch, session.device);
    for (const auto& kernel : kernels_of(session)) // instances of templates are made where they are named
        if (kernel.name.find('<') != std::string::npos) key += kernel.name + '\n';
    for (const auto& option : session.compile.options)
        key += '\n' + option;
    return key;
}

/// Launches with the same key cost the same.
std::string empty_launch_key(const Session& session) {
    const bool graph = session.pipeline && session.pipeline->graph;
    return fmt::format("{} {}", session.device, graph ? "graph" : kind_of_launch(session.launch));
}

int repeats_of_visit(double kernel_ms, int least) {
    const double fitting = std::ceil(visit_ms / std::max(kernel_ms, 1e-6));
    return std::max(static_cast<int>(std::clamp(fitting, 1.0, static_cast<double>(most_repeats))), least);
}

/// Seconds of a run of a point: in the trial, and in a round.
struct VisitSeconds {
    double trial = 0, round = 0;
};

/// Warm-up mostly ends after so many runs.
constexpr int usual_warm_up = 3;

VisitSeconds visits_like(const Report& report, int least_repeats) {
    const auto& times = report.times;
    const double kernel = median_of(times.kernel_ms);
    const double once = kernel + median_of(times.htod_ms) + median_of(times.dtoh_ms);
    const auto runs = static_cast<double>(times.kernel_ms.size()) + report.warmup;
    const double besides = std::max(0.0, report.wall_ms - report.compile.ms - report.compile.load_ms - runs * once);
    return {1e-3 * (besides + 2 * once),
            1e-3 * (besides + (usual_warm_up + repeats_of_visit(kernel, least_repeats)) * once)};
}

void show_launch(const LaunchConfiguration& launch, SweepPointResult& result) {
    result.grid = launch.grid;
    result.block = launch.block;
    result.shared = launch.shared;
}

class SweepRun {
public:
    SweepRun(const Session& session, SweepDevice& device, const SweepOptions& options, const SweepHooks& hooks)
        : device_(device), options_(options), hooks_(hooks), session_(session), sweep_(*session.sweep),
          points_(session), profiled_(session.profile || options.run.profile) {}

    SweepReport go();

private:
    [[nodiscard]] Session session_to_run(std::uint64_t point, bool trial) const;
    void prepare();
    void check_number(std::uint64_t count);
    void compile();
    void trial();
    void measure();
    Report visit(std::size_t index, const RunOptions& options, bool trial);
    void note_failure(SweepPointResult& result, const Report& report) const;
    void stop_slow_points(double factor, double least_ms = 0);
    void summarise();
    void tell_visited(std::size_t index);
    void tell(const char* stage, int round, std::size_t done, std::size_t of, double seconds_left) const;
    [[nodiscard]] bool cancelled() const { return hooks_.cancelled && hooks_.cancelled(); }
    [[nodiscard]] bool runs_on(std::size_t index) const {
        const auto state = report_.points[index].state;
        return state == PointState::tried || state == PointState::measured;
    }
    void note_conditions(std::size_t index, const Report& report, const Session& session, bool trial);
    [[nodiscard]] double time_of(const SweepPointResult& result) const;

    SweepDevice& device_;
    const SweepOptions& options_;
    const SweepHooks& hooks_;
    const Session& session_;
    const Sweep& sweep_;
    SweepPoints points_;
    bool profiled_;
    std::map<std::string, ReportEmptyLaunch> empty_launches_; ///< by device and kind of launch
    std::vector<double> visit_seconds_;                       ///< of the last visit of each, without loading the kernel
    SweepReport report_;
};

void SweepRun::tell(const char* stage, int round, std::size_t done, std::size_t of, double seconds_left) const {
    if (hooks_.progress) hooks_.progress({stage, round, done, of, seconds_left});
}

void SweepRun::tell_visited(std::size_t index) {
    if (!hooks_.visited) return;
    auto& result = report_.points[index];
    result.median_ms = time_of(result);
    set_speed(result.figures, result.median_ms);
    hooks_.visited(index, result);
}

/// A sweep saves nothing, and checks of the kernel would be measured with it. Only the trial compares.
Session SweepRun::session_to_run(std::uint64_t point, bool trial) const {
    auto session = points_.session_at(point);
    for (auto& argument : session.arguments) {
        argument.save.clear();
        if (!trial) argument.expect.reset();
    }
    session.checks = {};
    session.profile = false;
    if (session.pipeline) session.pipeline->frames.reset();
    return session;
}

void SweepRun::prepare() {
    if (!options_.gpu.empty() && !profile::find_gpu(options_.gpu)) {
        std::vector<std::string_view> gpus;
        for (const auto& each : profile::gpus())
            gpus.push_back(each.name);
        throw SessionError(fmt::format("No peak figures are known of the GPU \"{}\", only of {}.", options_.gpu,
                                       fmt::join(gpus, ", ")));
    }
    report_.title = session_.title;
    report_.session = options_.run.session_path;
    if (!session_.pipeline) report_.kernel = session_.kernel;
    if (!sweep_.time.empty()) {
        const auto paths = paths_of_steps(session_, sweep_.time);
        if (paths.size() > 1)
            throw SessionError(fmt::format("The time of {} is asked for, which is in the steps {}. Name one of them.",
                                           sweep_.time, fmt::join(paths, ", ")),
                               "/sweep/time");
        report_.time_of = paths.front();
    }
    report_.axes = sweep_.vary;
    report_.product = points_.product();
    report_.rounds = sweep_.rounds;
    const auto chosen = options_.only ? *options_.only : points_.chosen();
    check_number(chosen.size());
    for (const auto point : chosen) {
        if (cancelled()) throw SessionError("The sweep was stopped.");
        SweepPointResult result;
        result.point = point;
        result.values = points_.values_at(point);
        try {
            const auto session = points_.session_at(point);
            if (!session.pipeline) show_launch(session.launch, result);
        } catch (const SessionError& error) {
            result.state = PointState::failed;
            result.kind = "input";
            result.message = error.what();
        }
        report_.points.push_back(std::move(result));
    }
    visit_seconds_.resize(report_.points.size());
    if (hooks_.listed) hooks_.listed(report_);
}

/// Refuses a long sweep that nobody has agreed to, after an estimate from its first point.
void SweepRun::check_number(std::uint64_t count) {
    if (options_.agreed || count <= options_.most_points) return;
    std::string estimate;
    double seconds = -1;
    try {
        const auto first = session_to_run(points_.chosen().front(), true);
        RunOptions options = options_.run;
        options.repeat = 1;
        options.no_empty_launch = true;
        tell("trial", 0, 0, count, -1);
        const auto report = device_.run(first, options);
        if (report.status == Status::cancelled) throw SessionError("The sweep was stopped.");
        if (has_run(report.status)) {
            seconds = estimated_seconds(report, count, sweep_.rounds, session_.repeat);
            estimate = fmt::format(", which would take about {} without compilations", duration_text(seconds));
        }
    } catch (const SessionError& error) {
        if (cancelled()) throw;
        estimate = fmt::format(" (the first one: {})", error.what());
    }
    if (hooks_.agree) {
        if (hooks_.agree(count, seconds)) return;
        throw SessionError("The sweep was not started.");
    }
    throw SessionError(fmt::format("The sweep has {} points{}. Give --yes to run it nevertheless, --sample N for some "
                                   "of them, or leave values out.",
                                   count, estimate),
                       "/sweep");
}

void SweepRun::compile() {
    if (session_.source.is_ptx()) return;
    std::map<std::string, std::size_t> known;
    std::vector<Session> distinct;
    std::vector<std::size_t> of_point(report_.points.size());
    for (std::size_t i = 0; i < report_.points.size(); ++i) {
        if (cancelled()) {
            report_.stopped = true;
            return;
        }
        if (report_.points[i].state == PointState::failed) continue;
        auto session = session_to_run(report_.points[i].point, true);
        const auto [place, added] = known.try_emplace(compilation_key(session), distinct.size());
        if (added) distinct.push_back(std::move(session));
        of_point[i] = place->second;
    }
    const auto start = clock::now();
    tell("compile", 0, 0, distinct.size(), -1);
    const auto compiled =
        device_.compile(distinct, [&](std::size_t done) { tell("compile", 0, done, distinct.size(), -1); });
    report_.seconds.compile_wall = seconds_since(start);
    report_.compilations = distinct.size();
    for (const auto& each : compiled)
        report_.seconds.compile += 1e-3 * each.ms;
    for (std::size_t i = 0; i < report_.points.size(); ++i) {
        auto& result = report_.points[i];
        if (result.state == PointState::failed || compiled[of_point[i]].ok) continue;
        result.state = PointState::failed;
        result.kind = "compile";
        result.message = compiled[of_point[i]].message;
        tell_visited(i);
    }
}

Report SweepRun::visit(std::size_t index, const RunOptions& options, bool trial) {
    const auto start = clock::now();
    auto run = options;
    run.time_step = report_.time_of;
    // The trial looks at the steps, so that a fault names its own.
    run.no_steps = session_.pipeline && !trial;
    const auto session = session_to_run(report_.points[index].point, trial);
    run.no_empty_launch = !trial || empty_launches_.contains(empty_launch_key(session));
    auto report = device_.run(session, run);
    // Code that is loaded for the first time is in a cache at the next visit.
    visit_seconds_[index] = seconds_since(start) - 1e-3 * (report.compile.ms + report.compile.load_ms);
    report_.seconds.runs += 1e-3 * (report.wall_ms - report.compile.ms - report.compile.load_ms);
    report_.seconds.load += 1e-3 * (report.compile.ms + report.compile.load_ms);
    auto& result = report_.points[index];
    if (report.status == Status::cancelled) {
        report_.stopped = true;
    } else if (!has_run(report.status) || (trial && report.status == Status::expectation_failed)) {
        note_failure(result, report);
    }
    if (has_run(report.status)) note_conditions(index, report, session, trial);
    return report;
}

void SweepRun::note_conditions(std::size_t index, const Report& report, const Session& session, bool trial) {
    auto& result = report_.points[index];
    if (trial) {
        const auto key = empty_launch_key(session);
        if (report.empty_launch) empty_launches_.emplace(key, *report.empty_launch);
        // A pipeline is many launches, which one of them tells little of.
        if (const auto known = empty_launches_.find(key); known != empty_launches_.end() && !session.pipeline)
            result.empty_launch = known->second;
    } else if (report.clocks) {
        if (result.clocks)
            result.clocks->add(*report.clocks);
        else
            result.clocks = report.clocks;
    }
}

void SweepRun::note_failure(SweepPointResult& result, const Report& report) const {
    result.state = report.status == Status::expectation_failed ? PointState::wrong : PointState::failed;
    if (report.error) {
        result.kind = report.error->kind;
        result.message = report.error->message;
        return;
    }
    result.kind = "expectation";
    for (const auto& comparison : report.comparisons) {
        if (comparison.passed) continue;
        result.message = comparison.problem.empty()
                             ? fmt::format("{}: {}.", comparison.argument, mismatch_text(comparison))
                             : fmt::format("{}: {}", comparison.argument, comparison.problem);
        return;
    }
}

/// Each point once: whether it runs, whether its results are right, and about how long it takes.
void SweepRun::trial() {
    RunOptions options = options_.run;
    options.repeat = 1;
    options.warmup = 1;
    options.profile = profiled_;
    if (profiled_) options.roofline = options_.gpu;
    double spent = 0, round = 0; ///< seconds of trials, and of a round as they suggest
    std::size_t done = 0;
    for (std::size_t i = 0; i < report_.points.size() && !report_.stopped; ++i) {
        if (cancelled()) report_.stopped = true;
        if (report_.stopped) break;
        const auto all = static_cast<double>(report_.points.size());
        const double left = spent * (all - static_cast<double>(i)) + round * all * static_cast<double>(sweep_.rounds);
        tell("trial", 0, i, report_.points.size(), done ? left / static_cast<double>(done) : -1);
        auto& result = report_.points[i];
        if (result.state == PointState::failed) continue;
        auto report = visit(i, options, true);
        if (report_.stopped) break;
        spent += visit_seconds_[i];
        ++done;
        result.device = device_text(report);
        // Those of a pipeline's first kernel say nothing of the others.
        if (const auto registers = report.function.find("num_regs");
            registers != report.function.end() && !session_.pipeline)
            result.registers = registers->second;
        if (report_.kernel.empty()) report_.kernel = report.kernel;
        if (!report.times.kernel_ms.empty()) result.trial_ms = median_of(report.times.kernel_ms);
        if (result.state == PointState::waiting) result.state = PointState::tried;
        const auto* gpu = profile::find_gpu(options_.gpu.empty() ? report.device.name : options_.gpu);
        if (gpu) report_.gpu = gpu->name;
        result.figures = figures_of(report, points_.bytes_at(result.point), points_.operations_at(result.point), gpu);
        if (runs_on(i)) {
            visit_seconds_[i] = visits_like(report, session_.repeat).round;
            round += visit_seconds_[i];
        }
        tell_visited(i);
    }
    // One run is little to judge by: any other program may delay it by milliseconds. A visit takes its time anyway.
    stop_slow_points(10 * sweep_.stop_slower, visit_ms);
}

double SweepRun::time_of(const SweepPointResult& result) const {
    std::vector<double> all;
    for (const auto& visit : result.visits)
        all.insert(all.end(), visit.begin(), visit.end());
    return all.empty() ? result.trial_ms : median_of(std::move(all));
}

/// By the fastest runs: what disturbs a few runs stops no point.
void SweepRun::stop_slow_points(double factor, double least_ms) {
    if (factor == 0) return;
    const auto fastest = [&](std::size_t i) {
        double least = report_.points[i].trial_ms;
        for (const auto& visit : report_.points[i].visits)
            for (const double time : visit)
                least = std::min(least, time);
        return least;
    };
    double best = options_.best_ms > 0 ? options_.best_ms : std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < report_.points.size(); ++i)
        if (runs_on(i)) best = std::min(best, fastest(i));
    for (std::size_t i = 0; i < report_.points.size(); ++i)
        if (runs_on(i) && fastest(i) > std::max(factor * best, least_ms)) report_.points[i].state = PointState::slower;
}

void SweepRun::measure() {
    std::vector<std::size_t> order(report_.points.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const SplitMix64 random{sweep_.seed};
    std::uint64_t drawn = 0;
    for (int round = 1; round <= sweep_.rounds && !report_.stopped; ++round) {
        // In another order each time, so that no point always runs behind the same one.
        for (std::size_t i = order.size(); i > 1; --i)
            std::swap(order[i - 1], order[upper_product(random.at(drawn++), i)]);
        std::size_t done = 0;
        const auto of = static_cast<std::size_t>(std::ranges::count_if(order, [&](auto i) { return runs_on(i); }));
        const auto rounds_left = static_cast<double>(sweep_.rounds + 1 - round);
        double left = 0;
        for (std::size_t i = 0; i < report_.points.size(); ++i)
            if (runs_on(i)) left += visit_seconds_[i] * rounds_left;
        for (const auto index : order) {
            if (!runs_on(index)) continue;
            if (cancelled()) report_.stopped = true;
            if (report_.stopped) break;
            tell("round", round, done, of, left);
            auto& result = report_.points[index];
            RunOptions options = options_.run;
            options.steady = true;
            options.profile = false;
            options.repeat = repeats_of_visit(time_of(result), session_.repeat);
            left -= visit_seconds_[index] * rounds_left;
            const auto report = visit(index, options, false);
            if (report_.stopped) break;
            ++done;
            if (runs_on(index)) { // else it has failed now
                left += visit_seconds_[index] * (rounds_left - 1);
                result.visits.push_back(report.times.kernel_ms);
                result.state = PointState::measured;
            }
            tell_visited(index);
        }
        if (!report_.stopped) stop_slow_points(sweep_.stop_slower);
    }
}

void SweepRun::summarise() {
    std::vector<std::vector<double>> medians(report_.points.size());
    for (std::size_t i = 0; i < report_.points.size(); ++i) {
        auto& result = report_.points[i];
        std::vector<double> all;
        for (const auto& visit : result.visits) {
            all.insert(all.end(), visit.begin(), visit.end());
            medians[i].push_back(median_of(visit));
        }
        result.median_ms = time_of(result);
        result.min_ms = all.empty() ? result.trial_ms : *std::ranges::min_element(all);
        result.interval_ms = interval_of_median(result.visits);
        result.outliers = count_outliers(all);
        set_speed(result.figures, result.median_ms);
        if (runs_on(i) && (!report_.best || result.median_ms < report_.points[*report_.best].median_ms))
            report_.best = i;
    }
    if (!report_.best) return;
    for (std::size_t i = 0; i < report_.points.size(); ++i)
        if (i != *report_.best && !medians[i].empty() && !medians[*report_.best].empty())
            report_.points[i].against_best = compare_rounds(medians[*report_.best], medians[i]);
}

SweepReport SweepRun::go() {
    const auto start = clock::now();
    prepare();
    compile();
    trial();
    measure();
    summarise();
    report_.seconds.wall = seconds_since(start);
    return std::move(report_);
}

} // namespace

double estimated_seconds(const Report& report, std::uint64_t points, int rounds, int least_repeats) {
    const auto visits = visits_like(report, least_repeats);
    return static_cast<double>(points) * (visits.trial + rounds * visits.round);
}

SweepReport run_sweep(const Session& session, SweepDevice& device, const SweepOptions& options,
                      const SweepHooks& hooks) {
    if (!session.sweep)
        throw SessionError("The session has no sweep. Give an axis, such as --vary block=32,64,128.", "/sweep");
    return SweepRun(session, device, options, hooks).go();
}

} // namespace warplight::session
