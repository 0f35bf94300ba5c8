// SPDX-License-Identifier: GPL-3.0-or-later
#include "command.hpp"
#include "connection_words.hpp"
#include "device_choice.hpp"
#include "engine_options.hpp"
#include "json_text.hpp"
#include "keep_run.hpp"
#include "progress_line.hpp"

#include "cluster/sweep_results.hpp"
#include "files/paths.hpp"
#include "session/session.hpp"
#include "session/sweep_points.hpp"
#include "session/sweep_runner.hpp"
#include "session/sweep_text.hpp"
#include "warplight/driver.hpp"
#include "warplight/file_io.hpp"
#include "worker/limits.hpp"
#include "worker/run_access.hpp"
#include "worker/sweep_workers.hpp"

#include <CLI/CLI.hpp>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warplight::cli {
namespace {

namespace fs = std::filesystem;
using session::SessionError;

struct Options {
    std::string file, device, where, time, bytes, operations, json_file, csv_file, timeout, memory, roofline, l2;
    std::vector<std::string> vary, set;
    std::vector<fs::path> allow;
    std::optional<std::uint64_t> sample, seed;
    std::optional<int> rounds, repeat;
    std::optional<double> stop_slower;
    bool zip = false, yes = false, profile = false, unconfined = false, quiet = false;
    EngineOptions engine;
    KeepOptions keep;
};

/// The session's sweep with what was typed in its place.
void apply(const Options& options, session::Session& session) {
    if (!session.sweep) session.sweep.emplace();
    auto& sweep = *session.sweep;
    if (!options.vary.empty()) sweep.vary.clear();
    for (const auto& each : options.vary)
        sweep.vary.push_back(session::parse_axis(each));
    // What is varied here does not follow a formula of the document.
    for (const auto& axis : sweep.vary)
        if (!options.vary.empty())
            std::erase_if(sweep.set, [&](const session::SweepSetting& setting) { return setting.name == axis.name; });
    for (const auto& each : options.set) {
        auto setting = session::parse_setting(each);
        std::erase_if(sweep.set, [&](const session::SweepSetting& other) { return other.name == setting.name; });
        sweep.set.push_back(std::move(setting));
    }
    if (options.zip) sweep.zip = true;
    if (!options.where.empty()) sweep.where = options.where;
    if (!options.time.empty()) sweep.time = options.time;
    if (options.sample) sweep.sample = *options.sample;
    if (options.seed) sweep.seed = *options.seed;
    if (options.rounds) sweep.rounds = *options.rounds;
    if (options.stop_slower) {
        sweep.stop_slower = *options.stop_slower;
        if (sweep.stop_slower != 0 && !(sweep.stop_slower > 1))
            throw SessionError("--stop-slower takes a number greater than 1, or 0: no point is stopped.");
    }
    if (!options.bytes.empty()) sweep.bytes = options.bytes;
    if (!options.operations.empty()) sweep.operations = options.operations;
    if (!options.l2.empty()) session.cold_l2 = options.l2 == "cold";
    if (options.repeat) session.repeat = *options.repeat;
    if (!options.device.empty()) session.device = parse_device_option(options.device).device;
    session::parse_device(session.device);
}

std::string progress_text(const session::SweepProgress& progress, int rounds) {
    std::string text =
        progress.stage == "compile" ? fmt::format("compiled {} of {}", progress.done, progress.of)
        : progress.stage == "trial"
            ? fmt::format("trial: point {} of {}", progress.done + 1, progress.of)
            : fmt::format("round {} of {}: point {} of {}", progress.round, rounds, progress.done + 1, progress.of);
    if (progress.seconds_left >= 0) text += fmt::format(", about {} left", duration_left(progress.seconds_left));
    return text;
}

std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free);

/// The first Ctrl+C stops the sweep, so that what is done is written. A second one ends the program.
extern "C" void stop_sweep(int signal) {
    interrupted = true;
    std::signal(signal, SIG_DFL);
}

void write_file(const std::string& file, const std::string& text) {
    if (file == "-") {
        fmt::print("{}", text);
        return;
    }
    write_file_atomically(files::absolute(file), text);
}

/// Seconds of a point, by a run of the first one here. 0 where it does not run here.
double tried(const session::Session& session, session::SweepDevice& device, session::SweepOptions sweep) {
    double seconds = 0;
    session::SweepHooks hooks;
    hooks.cancelled = [] { return interrupted.load(); };
    hooks.agree = [&](std::uint64_t points, double all) {
        if (all > 0 && points > 0) seconds = all / static_cast<double>(points);
        return false;
    };
    sweep.agreed = false;
    sweep.most_points = 0;
    try {
        session::run_sweep(session, device, sweep, hooks);
    } catch (const SessionError&) {
        if (interrupted) throw;
    }
    return seconds;
}

/// Points as runs of the history, the fastest ones where there are many.
void keep_points(const session::Session& session, const session::RunOptions& options,
                 const std::vector<cluster::CollectedPoint>& all, const KeepOptions& keep) {
    const session::SweepPoints points(session);
    std::size_t kept = 0;
    for (const auto& each : all) {
        const worker::RunRequest job{points.session_at(each.result.point), options};
        auto report = cluster::report_of(each, job.session);
        report.session = options.session_path;
        auto of_point = keep;
        of_point.quiet = true;
        if (of_point.note.empty()) of_point.note = cluster::machine_text(each.machine);
        kept += keep_run(job, report, of_point);
    }
    fmt::print(stderr, "kept {} points in the history\n", kept);
}

/// Of a sweep that ran here.
std::vector<cluster::CollectedPoint> points_of(const session::SweepReport& report, const nlohmann::json& devices) {
    std::vector<cluster::CollectedPoint> points;
    for (const auto index : session::fastest_first(report)) {
        const auto& result = report.points[index];
        if (result.state != session::PointState::measured || points.size() == cluster::most_kept_points) break;
        auto& point = points.emplace_back();
        point.result = result;
        point.machine.gpu = result.device;
        point.machine.driver = devices.value("driver", "");
        point.machine.driver_version = devices.value("driver_version", 0);
    }
    return points;
}

int run_as_tasks(const Options& options, const worker::RunRequest& job, session::SweepDevice& device,
                 const session::SweepOptions& sweep, const cluster::CampaignConditions& conditions) {
    auto fresh = cluster::sweep_campaign(job.session, job.options, conditions);
    auto fallback = files::absolute(options.file);
    fallback.replace_extension(".campaign");
    const auto estimate = [&, count = fresh.count] {
        // A login node without a GPU tells nothing of nodes that have some.
        const bool like_here =
            options.engine.engine == "local" || job.session.device != "auto" || has_device(driver::Driver::cuda());
        const double seconds = like_here ? tried(job.session, device, sweep) : 0;
        if (count > sweep.most_points && !options.yes)
            throw SessionError(
                fmt::format("The sweep has {} points{}. Give --yes to run it nevertheless, --sample N for "
                            "some of them, or leave values out.",
                            count, seconds > 0 ? fmt::format(", each of about {:.2g} s here", seconds) : ""));
        return seconds;
    };
    const auto campaign = begin_campaign(std::move(fresh), options.engine, fallback, estimate);
    cluster::Collector collector(campaign);
    const auto end = run_campaign(collector, options.engine);
    const cluster::SweepResults results(collector, end.stopped, end.seconds);
    const auto write = [](const std::string& file, const auto& fill) {
        if (file.empty()) return;
        if (file == "-")
            fill([](std::string_view piece) { fmt::print("{}", piece); });
        else
            write_file_atomically(files::absolute(file), [&](const PieceWriter& to) {
                fill([&](std::string_view piece) { to(std::as_bytes(std::span(piece))); });
            });
    };
    write(options.json_file, [&](const auto& to) { results.write_json(to); });
    write(options.csv_file, [&](const auto& to) { results.write_csv(to); });
    if (options.json_file != "-" && options.csv_file != "-") fmt::print("{}", results.text());
    if (options.keep.keep)
        keep_points(campaign.session, campaign.run_options(), results.fastest(cluster::most_kept_points), options.keep);
    return results.exit_code();
}

int run(const Options& given) {
    Options options = given;
    if (options.json_file == "-" && options.csv_file == "-")
        throw SessionError("--json - and --csv - cannot both go to standard output.");
    if (!fs::exists(options.file)) throw SessionError(fmt::format("The file {} does not exist.", options.file));
    if (fs::path(options.file).extension() != ".warplight")
        throw SessionError(fmt::format("{} is no session (.warplight). A sweep takes a session: the window makes one "
                                       "of a source.",
                                       options.file));
    check_engine_options(options.engine);
    if (options.engine.resume && options.engine.engine.empty())
        throw SessionError("--resume belongs to --engine local or --engine slurm.");
    if (!options.engine.engine.empty())
        refuse_other_machines(options.device, "tasks of --engine run on the devices of their own node");
    worker::RunRequest job{session::load(options.file), {}};
    // Only of a pipeline there is a step whose time could be meant.
    if (options.engine.engine == "slurm" && !job.session.pipeline && options.engine.slurm.time.empty())
        options.engine.slurm.time = std::exchange(options.time, {});
    apply(options, job.session);
    job.options.folder = files::absolute(options.file).parent_path();
    job.options.session_path = files::absolute(options.file).string();
    job.options.allow = options.allow;
    if (!options.roofline.empty() && !options.profile && !job.session.profile && job.session.sweep->bytes.empty() &&
        job.session.sweep->operations.empty())
        throw SessionError("--roofline compares figures with a GPU. Give --profile, --bytes or --operations as well.");

    worker::SweepWorkersOptions workers;
    workers.run = job.options;
    workers.machine = parse_device_option(options.device).machine;
    workers.confined = !options.unconfined;
    if (workers.confined) workers.access = worker::access_of(job);
    workers.cancelled = [] { return interrupted.load(); };
    if (!options.timeout.empty()) {
        const auto timeout = worker::parse_duration(options.timeout);
        if (!timeout)
            throw SessionError(
                fmt::format("--timeout {}: write a duration such as 10s, 500ms or 2m.", options.timeout));
        workers.timeout = *timeout;
    }
    if (!options.memory.empty()) {
        const auto memory = worker::parse_bytes(options.memory);
        if (!memory || *memory < worker::least_memory)
            throw SessionError(fmt::format("--memory {}: write a size of 64M or more, such as 2G.", options.memory));
        workers.memory_limit = *memory;
    }
    session::SweepOptions sweep{.run = job.options, .gpu = options.roofline, .agreed = options.yes};
    sweep.run.profile = options.profile;
    interrupted = false;
    std::signal(SIGINT, stop_sweep);
    std::signal(SIGTERM, stop_sweep);
    cluster::CampaignConditions conditions;
    conditions.roofline = options.roofline;
    conditions.profile = options.profile;
    conditions.confined = workers.confined;
    conditions.memory_limit = workers.memory_limit;
    conditions.timeout = workers.timeout;
    ConnectionWords words(workers.machine, options.quiet);
    workers.watch = words.watch();
    worker::SweepWorkers device(std::move(workers));
    if (!options.engine.engine.empty()) return run_as_tasks(options, job, device, sweep, conditions);
    session::SweepHooks hooks;
    hooks.cancelled = [] { return interrupted.load(); };
    hooks.progress = [&](const session::SweepProgress& each) {
        if (words.is_due()) words.progress(progress_text(each, job.session.sweep->rounds));
    };
    const auto report = session::run_sweep(job.session, device, sweep, hooks);
    words.clear();
    if (!options.json_file.empty()) write_file(options.json_file, json_text(session::to_json(report)));
    if (!options.csv_file.empty()) write_file(options.csv_file, session::to_csv(report));
    if (options.json_file != "-" && options.csv_file != "-") fmt::print("{}", session::to_text(report));
    if (options.keep.keep)
        keep_points(job.session, job.options, points_of(report, device.devices(job.session)), options.keep);
    return session::exit_code(report);
}

} // namespace

void add_sweep(CLI::App& app, int& exit_code) {
    auto* command =
        app.add_subcommand("sweep", "Run a session with other blocks, macros or arguments, and tell which is fastest");
    auto options = std::make_shared<Options>();
    command->add_option("SESSION", options->file, "SESSION.warplight")->required();
    command
        ->add_option(
            "--vary", options->vary,
            "An axis and its values, one option each: block=32x1,64x2, bx=32..1024*2, grid=64,128,\n"
            "shared=0,4096, define:TILE=8,16, option=,--use_fast_math, argument:n=1024,4096, shape:x=1024,4096,\n"
            "kernel='scale<float>,scale<double>', arch=sm_80,sm_90, compiler=nvrtc,nvcc, device=software,cuda")
        ->allow_extra_args(false);
    command
        ->add_option("--set", options->set,
                     "What follows from the values by a formula: grid='ceil(n/bx),ceil(n/by)', shared='4*bx',\n"
                     "argument:m='2*n', shape:x='n,n'")
        ->allow_extra_args(false);
    command->add_flag("--zip", options->zip, "Value 1 of each axis, then value 2, instead of each with each");
    command->add_option("--where", options->where, "Only points with this: 'bx*by <= 1024'");
    command->add_option("--time", options->time, "Of a pipeline: the step whose time counts, such as 2.1");
    command->add_option("--sample", options->sample, "So many of the points, by chance")->check(CLI::PositiveNumber);
    command->add_option("--seed", options->seed, "Of that chance, and of the order of the points in a round");
    command->add_option("--rounds", options->rounds, "Rounds that are measured; default: 8")
        ->check(CLI::Range(1, 1'000'000));
    command->add_option("--repeat", options->repeat, "Runs of a point in a round, at least")
        ->check(CLI::PositiveNumber);
    command->add_option("--stop-slower", options->stop_slower,
                        "A point that takes so many times as long as the best is not measured on; 0: none; default: 3");
    command->add_option("--bytes", options->bytes, "Bytes that a launch moves, a formula: '12*n'");
    command->add_option("--operations", options->operations, "Operations of a launch, a formula: '2*n^3'");
    command->add_flag("--profile", options->profile, "Counts bytes and operations, in one more run of each point");
    command->add_option("--l2", options->l2, "The L2 cache before each measured run; default: the session's")
        ->check(CLI::IsMember({"warm", "cold"}));
    command->add_option("--roofline", options->roofline, "The GPU whose peak figures are compared with, such as H100");
    command->add_option("--device", options->device,
                        "auto, cuda:N, software:N, or one on another machine: ssh://USER@HOST/cuda:N");
    command
        ->add_option_function<std::vector<std::string>>(
            "--allow",
            [options](const std::vector<std::string>& given) {
                for (const auto& each : given)
                    options->allow.push_back(files::absolute(each));
            },
            "A folder or file outside of the session's folder that it may use; may be repeated")
        ->type_name("PATH")
        ->check(CLI::ExistingPath)
        ->allow_extra_args(false);
    command->add_option("--json", options->json_file, "Write the report there; -: to standard output")
        ->type_name("FILE");
    command->add_option("--csv", options->csv_file, "Write a table there; -: to standard output")->type_name("FILE");
    command->add_option("--timeout", options->timeout, "Longest time of one run: 10s, 500ms, 2m");
    command->add_option("--memory", options->memory, "Most memory of a worker: 2G, 512M");
    command->add_flag("--unconfined", options->unconfined,
                      "Run in workers without the walls that `warplight-cli doctor` lists");
    command->add_flag("--yes", options->yes, "Run more than 1000 points");
    command->add_flag("--quiet", options->quiet, "No progress on standard error");
    add_engine_options(*command, options->engine, true);
    command->add_flag("--resume", options->engine.resume, "With --engine: goes on with the campaign of the folder")
        ->group("Many devices");
    add_keep_options(*command, options->keep);
    command->callback([options, &exit_code] {
        options->engine.quiet = options->quiet;
        exit_code = run(*options);
    });
}

} // namespace warplight::cli
