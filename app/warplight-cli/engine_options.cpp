// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine_options.hpp"

#include "device_choice.hpp"
#include "grade_options.hpp"
#include "progress_line.hpp"

#include "cluster/campaign_files.hpp"
#include "cluster/local_engine.hpp"
#include "cluster/slurm_setup.hpp"
#include "files/paths.hpp"
#include "session/data_file.hpp"
#include "warplight/device.hpp"
#include "warplight/driver.hpp"
#include "worker/client.hpp"
#include "worker/limits.hpp"
#include "worker/platform.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <numeric>
#include <thread>
#include <utility>
#include <vector>

namespace warplight::cli {
namespace {

namespace fs = std::filesystem;
using session::SessionError;

std::chrono::milliseconds duration_of(const std::string& text, const char* option) {
    const auto duration = worker::parse_duration(text);
    if (!duration) throw SessionError(fmt::format("{} {}: write a duration such as 10s, 500ms or 2m.", option, text));
    return *duration;
}

double seconds_of(const std::string& text, const char* option) {
    return std::chrono::duration<double>(duration_of(text, option)).count();
}

/// The devices of this machine that take a task each.
cluster::LocalOptions local_options(const EngineOptions& options, const session::Session& session) {
    cluster::LocalOptions local;
    local.program = options.program.empty() ? worker::find_worker() : session::path_from_utf8(options.program);
    const auto given = session::parse_device(session.device);
    const auto choice = resolve_here(given);
    if (choice.driver == "cuda") {
        // A device that the session names is the only one.
        const bool any = session.device == "cuda" || session.device == "auto";
        std::vector<int> gpus{choice.ordinal};
        if (any && has_device(driver::Driver::cuda())) {
            gpus.resize(static_cast<std::size_t>(driver::Device::count(driver::Driver::cuda())));
            std::iota(gpus.begin(), gpus.end(), 0);
        }
        if (options.jobs) gpus.resize(std::min(gpus.size(), static_cast<std::size_t>(*options.jobs)));
        local.jobs = static_cast<int>(gpus.size());
        local.gpus = std::move(gpus);
        return local;
    }
    const int processors = static_cast<int>(std::max(std::thread::hardware_concurrency(), 1U));
    local.jobs = options.jobs.value_or(processors);
    // Each software device has its share of the processors.
    if (!std::getenv("WARPLIGHT_SOFTWARE_WORKERS"))
        worker::platform::set_environment("WARPLIGHT_SOFTWARE_WORKERS",
                                          fmt::format("{}", std::max(processors / local.jobs, 1)));
    return local;
}

cluster::SlurmSetup slurm_setup(const EngineOptions& options) {
    cluster::SlurmSetup setup;
    setup.options = options.slurm;
    setup.cluster = options.cluster;
    setup.folder = options.work_folder;
    setup.program = options.program;
    setup.own_program = cluster::utf8_of(worker::platform::own_program());
    if (!options.poll.empty()) setup.poll = duration_of(options.poll, "--poll");
    return setup;
}

std::unique_ptr<cluster::Engine> make_engine(const EngineOptions& options, const cluster::Campaign& campaign) {
    if (options.engine == "local")
        return std::make_unique<cluster::LocalEngine>(campaign, local_options(options, campaign.session));
    return cluster::make_slurm_engine(campaign, slurm_setup(options));
}

std::string progress_text(const cluster::CampaignProgress& progress) {
    auto text = fmt::format("{} of {} points; {} tasks running, {} waiting", progress.done, progress.count,
                            progress.engine.running, progress.engine.waiting);
    if (progress.seconds_left >= 0) text += fmt::format("; about {} left", duration_left(progress.seconds_left));
    if (!progress.engine.note.empty()) text += fmt::format(" ({})", progress.engine.note);
    return text;
}

} // namespace

void add_engine_options(CLI::App& command, EngineOptions& options, bool of_sweep) {
    const auto* group = "Many devices";
    command
        .add_option("--engine", options.engine,
                    "Runs points as tasks: local, on all devices of this machine; slurm, on a cluster")
        ->check(CLI::IsMember({"local", "slurm"}))
        ->group(group);
    if (of_sweep)
        command
            .add_option("--jobs", options.jobs,
                        "With --engine local: tasks at once; default: one for each GPU, or for each processor")
            ->check(CLI::Range(1, 1024))
            ->group(group);
    command.add_option("--partition", options.slurm.partition, "With --engine slurm: the partition")->group(group);
    command.add_option("--gres", options.slurm.gres, "With --engine slurm: what a task needs, such as gpu:1")
        ->group(group);
    command
        .add_option(of_sweep ? "--job-time" : "--job-time,--time", options.slurm.time,
                    "With --engine slurm: the limit of a job's time, as of sbatch --time")
        ->group(group);
    command.add_option("--array-size", options.array_size, "So many tasks; default: such that each takes --task-time")
        ->check(CLI::PositiveNumber)
        ->group(group);
    command.add_option("--task-time", options.task_time, "How long a task should take; default: 5m")->group(group);
    command
        .add_option("--point-time", options.point_time, "How long a point takes; default: the first one is tried here")
        ->group(group);
    command.add_option("--container-image", options.slurm.container_image, "With --engine slurm: passed to sbatch")
        ->group(group);
    command
        .add_option("--sbatch-option", options.slurm.more,
                    "With --engine slurm: one more option of sbatch, such as --account=x")
        ->allow_extra_args(false)
        ->group(group);
    command
        .add_option("--cluster", options.cluster,
                    "With --engine slurm: the login node of the cluster, ssh://USER@HOST; results come here")
        ->group(group);
    command.add_option("--program", options.program, "warplight-cli as the tasks find it; default: this one")
        ->group(group);
    command.add_option("--poll", options.poll, "With --engine slurm: how often squeue is asked; default: 3s to 45s")
        ->group(group);
    command
        .add_option("--work-folder", options.work_folder,
                    "The campaign's folder, which all nodes share; default: SESSION.campaign beside the session;\n"
                    "with --cluster: the folder there, default: a new one in warplight-campaigns")
        ->type_name("FOLDER")
        ->group(group);
}

void check_engine_options(const EngineOptions& options) {
    const auto& slurm = options.slurm;
    const bool for_slurm = !slurm.partition.empty() || !slurm.gres.empty() || !slurm.time.empty() ||
                           !slurm.container_image.empty() || !slurm.more.empty() || !options.poll.empty() ||
                           !options.cluster.empty();
    if (for_slurm && options.engine != "slurm")
        throw SessionError("--partition, --gres, --job-time, --container-image, --sbatch-option, --poll and --cluster "
                           "belong to --engine slurm.");
    const bool for_any = options.array_size || !options.task_time.empty() || !options.point_time.empty() ||
                         !options.program.empty() || !options.work_folder.empty();
    if (for_any && options.engine.empty())
        throw SessionError(
            "--array-size, --task-time, --point-time, --program and --work-folder belong to --engine local "
            "or --engine slurm.");
}

cluster::Campaign begin_campaign(cluster::Campaign fresh, const EngineOptions& options, const fs::path& fallback,
                                 const std::function<double()>& estimate) {
    fresh.folder = files::absolute(options.work_folder.empty() || !options.cluster.empty()
                                       ? fallback
                                       : session::path_from_utf8(options.work_folder));
    if (options.resume && cluster::is_campaign(fresh.folder)) {
        auto earlier = cluster::load_campaign(fresh.folder);
        if (earlier.digest() != fresh.digest())
            throw SessionError(
                fmt::format("The session, its files, the sweep or the limits are not those of the campaign "
                            "in {}. Start a new one in another folder, by --work-folder.",
                            fresh.folder.string()));
        return earlier;
    }
    cluster::TaskSize size;
    if (!options.task_time.empty()) size.task_seconds = seconds_of(options.task_time, "--task-time");
    size.point_seconds = !options.point_time.empty() ? seconds_of(options.point_time, "--point-time")
                         : options.array_size        ? 0
                                                     : estimate();
    size.wanted = options.array_size.value_or(0);
    if (options.engine == "slurm" && size.wanted == 0 && size.point_seconds <= 0) {
        size.point_seconds = cluster::guessed_point_seconds;
        fmt::print(stderr,
                   "A point is taken to last {} s, as none could be tried here. --point-time tells it better.\n",
                   size.point_seconds);
    }
    // Several for each device, so that all end at about the same time.
    constexpr std::uint64_t for_each_device = 4;
    size.at_least = options.engine == "local"
                        ? for_each_device * static_cast<std::uint64_t>(local_options(options, fresh.session).jobs)
                        : 1;
    cluster::begin_campaign(fresh, size);
    return fresh;
}

cluster::CampaignEnd run_campaign(cluster::Collector& collector, const EngineOptions& options,
                                  const std::function<void()>& more) {
    const auto& campaign = collector.campaign();
    const auto& interrupted = stop_on_interrupt();
    const auto engine = make_engine(options, campaign);
    cluster::CampaignEnd end;
    {
        ProgressLine line(options.quiet);
        cluster::CampaignHooks hooks;
        hooks.cancelled = [&] { return interrupted.load(); };
        std::uint64_t told = collector.done();
        hooks.progress = [&](const cluster::CampaignProgress& progress) {
            line.show(progress_text(progress));
            if (more && progress.done != std::exchange(told, progress.done)) more();
        };
        end = cluster::run_campaign(collector, *engine, hooks);
    }
    for (const auto& each : end.problems)
        fmt::print(stderr, "warning: {}\n", each);
    if (!collector.complete())
        fmt::print(stderr, "{}: {} of {} points have results in {}. The same command with --resume goes on.\n",
                   end.stopped ? "stopped" : "incomplete", collector.done(), campaign.count, campaign.folder.string());
    return end;
}

} // namespace warplight::cli
