// SPDX-License-Identifier: GPL-3.0-or-later
#include "command.hpp"
#include "device_choice.hpp"
#include "grade_options.hpp"

#include "cluster/campaign_files.hpp"
#include "cluster/platform.hpp"
#include "cluster/ssh_site.hpp"
#include "cluster/task.hpp"
#include "files/paths.hpp"
#include "files/problem.hpp"
#include "session/data_file.hpp"
#include "warplight/device.hpp"
#include "warplight/driver.hpp"
#include "worker/platform.hpp"
#include "worker/thread_start.hpp"

#include <CLI/CLI.hpp>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace warplight::cli {
namespace {

using std::chrono::steady_clock;

struct Options {
    std::string folder;
    std::uint64_t task = 0, attempt = 0;
    std::vector<int> gpus;
    bool with_parent = false;
};

/// Whether the task is to end: a signal, the campaign's stop file, or the end of the process that started it.
class Ending {
public:
    Ending(const std::filesystem::path& folder, bool with_parent)
        : file_(cluster::stop_file(folder)), interrupted_(stop_on_interrupt()),
          parent_gone_(std::make_shared<std::atomic<bool>>(false)) {
        if (with_parent)
            worker::start_thread([gone = parent_gone_] {
                cluster::platform::wait_for_end_of_input();
                *gone = true;
            }).detach();
    }

    [[nodiscard]] bool stopped() {
        const std::lock_guard lock(mutex_);
        look();
        return since_ != steady_clock::time_point();
    }
    /// The point that runs has had its time.
    [[nodiscard]] bool cancelled() {
        const std::lock_guard lock(mutex_);
        look();
        return *parent_gone_ || (since_ != steady_clock::time_point() && steady_clock::now() > since_ + patience_);
    }

private:
    void look() {
        const auto now = steady_clock::now();
        if (since_ != steady_clock::time_point() || now < next_) return;
        next_ = now + std::chrono::milliseconds(200);
        std::error_code code;
        const bool asked = std::filesystem::exists(file_, code);
        if (!asked && !interrupted_ && !*parent_gone_) return;
        since_ = now;
        // Slurm sends its signal a minute before it ends a job. Who presses Stop waits for less.
        patience_ = asked ? std::chrono::seconds(5) : std::chrono::seconds(45);
    }

    const std::filesystem::path file_;
    const std::atomic<bool>& interrupted_;
    const std::shared_ptr<std::atomic<bool>> parent_gone_;
    std::mutex mutex_;
    steady_clock::time_point since_, next_;
    std::chrono::seconds patience_{0};
};

/// All GPUs that Slurm has given to the job share its task.
std::vector<int> gpus_of_job(const cluster::Campaign& campaign) {
    const auto& device = campaign.session.device;
    if (!std::getenv("SLURM_JOB_ID") || !std::getenv("CUDA_VISIBLE_DEVICES") ||
        (device != "auto" && device != "cuda") || !has_device(driver::Driver::cuda()))
        return {};
    std::vector<int> gpus;
    const int count = driver::Device::count(driver::Driver::cuda());
    gpus.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i)
        gpus.push_back(i);
    return gpus;
}

int run(const Options& options) {
    const auto folder = files::absolute(session::path_from_utf8(options.folder));
    const auto campaign = cluster::load_campaign(folder);
    Ending ending(folder, options.with_parent);
    cluster::TaskOptions task;
    task.task = options.task;
    task.attempt = options.attempt;
    task.gpus = options.gpus.empty() ? gpus_of_job(campaign) : options.gpus;
    task.stopped = [&] { return ending.stopped(); };
    task.cancelled = [&] { return ending.cancelled(); };
    try {
        const auto end = cluster::run_task(campaign, task);
        fmt::print("task {}: {} of {} points have results, {} of them new\n", options.task, end.before + end.done,
                   end.points, end.done);
        if (end.complete()) return success;
        if (ending.stopped())
            fmt::print("The task was told to end before it was done. Perhaps the time of its job was nearly over: give "
                       "more by --time, or fewer points to a task by --array-size.\n");
        return device_failed;
    } catch (const files::Problem& error) {
        throw session::SessionError(fmt::format("Results cannot be written: {}.{}", error.what(),
                                                error.hint().empty() ? "" : " " + error.hint() + "."));
    }
}

} // namespace

void add_cluster_work(CLI::App& app, int& exit_code) {
    auto* command = app.add_subcommand("cluster-work")->group("");
    auto options = std::make_shared<Options>();
    command->add_option("FOLDER", options->folder)->required();
    command->add_option("--task", options->task, "Number of the task, from 0")->required();
    command->add_option("--attempt", options->attempt, "How often the task was started again");
    command->add_option("--gpu", options->gpus, "Ordinal of a GPU; may be repeated")->allow_extra_args(false);
    command->add_flag("--with-parent", options->with_parent, "Ends when its standard input does");
    command->callback([options, &exit_code] { exit_code = run(*options); });
    // What a collector on another machine asks for.
    auto* fetch = app.add_subcommand("cluster-fetch")->group("");
    auto folder = std::make_shared<std::string>();
    fetch->add_option("FOLDER", *folder)->required();
    fetch->callback([folder, &exit_code] {
        constexpr std::size_t most = std::size_t{16} << 20;
        std::string wanted;
        std::array<char, 65536> piece;
        while (const auto count = std::fread(piece.data(), 1, piece.size(), stdin))
            wanted.append(piece.data(), count);
        const auto answer = cluster::answer_fetch(files::absolute(session::path_from_utf8(*folder)),
                                                  cluster::utf8_of(worker::platform::own_program()), wanted, most);
        std::fwrite(answer.data(), 1, answer.size(), stdout);
        exit_code = success;
    });
}

} // namespace warplight::cli
