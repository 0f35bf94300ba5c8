// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_in_worker.hpp"

#include "command.hpp"
#include "connection_words.hpp"

#include "worker/client.hpp"
#include "worker/message.hpp"
#include "worker/thread_start.hpp"

#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

namespace warplight::cli {
namespace {

using nlohmann::json;
using std::chrono::steady_clock;

/// The stage of a run, as its worker tells it.
class Stage {
public:
    void set(const std::string& name) {
        const std::lock_guard lock(mutex_);
        name_ = name;
        launched_ = launched_ || name == "run";
    }
    [[nodiscard]] bool launched() const {
        const std::lock_guard lock(mutex_);
        return launched_;
    }
    /// What the run was doing.
    [[nodiscard]] std::string text() const {
        const std::lock_guard lock(mutex_);
        if (name_ == "data") return "reading its data";
        if (name_ == "compile") return "compiling";
        if (name_ == "load") return "loading the kernel";
        if (name_ == "run") return "running the kernel";
        if (name_ == "compare") return "comparing its results";
        if (name_ == "save") return "saving its results";
        return "starting";
    }

private:
    mutable std::mutex mutex_;
    std::string name_;
    bool launched_ = false;
};

class LimitedRun {
public:
    /// @param answered called after each answer
    LimitedRun(const worker::RunRequest& job, worker::Client& client, const RunLimits& limits,
               std::function<void()> answered)
        : job_(job), client_(client), limits_(limits), answered_(std::move(answered)) {}

    /// The answer to a request. Nothing when it did not come in time; the worker is gone then.
    std::optional<worker::Reply> ask(const std::string& method, json parameters) {
        auto reply = wait_for(method, std::move(parameters));
        answered_();
        return reply;
    }

    /// Of the results. One that cannot be seen, such as of a type that is no number, is left out.
    std::vector<page::ResultView> views_of(const session::Report& report) {
        std::vector<page::ResultView> views;
        for (const auto& output : report.outputs) {
            if (!output.buffer) continue;
            const auto reply = ask("buffer.view", {{"buffer", *output.buffer}});
            if (!reply || reply->worker_died) break;
            if (!reply->ok) continue;
            try {
                views.push_back({output.index, worker::array_view_from_json(*reply->result)});
            } catch (const std::exception& error) {
                fmt::print(stderr, "warning: the report lacks a picture of {}: {}\n", output.name, error.what());
            }
        }
        return views;
    }

    [[nodiscard]] std::string late() const {
        return fmt::format("The run was stopped after {}, the limit of --timeout. It was {}.",
                           worker::format_duration(limits_.timeout), stage_.text());
    }
    [[nodiscard]] session::Report report_of_late_run() const {
        return with_limit(failed_report(job_, session::Status::limit_reached, late()), "timeout");
    }
    [[nodiscard]] session::Report report_of_lost_worker(const worker::Exit& exit) const {
        const auto kind = exit.reason.kind;
        auto message = worker::end_sentences(exit.reason);
        if (kind == worker::EndKind::memory)
            message = fmt::format("The run used more than {}, the limit of --memory. It was {}.",
                                  session::format_bytes(limits_.memory), stage_.text());
        auto report = failed_report(job_, session::Status::device_error, message);
        report.end = worker::end_name(kind);
        if (kind == worker::EndKind::memory)
            report = with_limit(std::move(report), std::string(worker::end_name(kind)));
        report.error->details = exit.stderr_tail;
        report.launched = stage_.launched();
        return report;
    }
    /// Tells a report whether one of the limits ended its run.
    [[nodiscard]] session::Report judged(session::Report report) const {
        if (report.status == session::Status::cancelled && limits_.timeout.count() > 0) {
            report = with_limit(std::move(report), "timeout");
            report.error->message = late();
        } else if (limits_.memory > 0 && lacks_memory(report)) {
            report = with_limit(std::move(report), "memory");
            report.error->message +=
                fmt::format(" The limit of --memory is {}.", session::format_bytes(limits_.memory));
        }
        return report;
    }

private:
    std::optional<worker::Reply> wait_for(const std::string& method, json parameters) {
        auto answer = std::make_shared<std::promise<worker::Reply>>();
        auto future = answer->get_future();
        const int id = client_.call(
            method, std::move(parameters), [answer](const worker::Reply& reply) { answer->set_value(reply); },
            [this](const worker::Progress& progress) { stage_.set(progress.stage); });
        if (limits_.timeout.count() == 0) return future.get();
        if (future.wait_until(limits_.begin + limits_.timeout) == std::future_status::ready) return future.get();
        // A cancelled run has a report. A worker that cannot cancel is killed.
        constexpr auto patience = std::chrono::seconds(1);
        client_.cancel(id);
        if (future.wait_for(patience) == std::future_status::ready) {
            auto reply = future.get();
            // One that was cancelled before it began has no report.
            if (!reply.ok && reply.code == worker::cancelled_request) return std::nullopt;
            return reply;
        }
        client_.kill();
        future.wait();
        return std::nullopt;
    }
    /// A compiler that has no memory left fails like others.
    static bool lacks_memory(const session::Report& report) {
        if (!report.error) return false;
        return report.end == "memory" || (report.status == session::Status::compile_error &&
                                          report.error->message.find("out of memory") != std::string::npos);
    }
    session::Report with_limit(session::Report report, std::string end) const {
        report.status = session::Status::limit_reached;
        report.end = std::move(end);
        if (!report.error) report.error.emplace();
        report.error->kind = "limit";
        report.launched = report.launched || stage_.launched();
        return report;
    }

    const worker::RunRequest& job_;
    worker::Client& client_;
    const RunLimits& limits_;
    const std::function<void()> answered_;
    Stage stage_;
};

} // namespace

session::Report failed_report(const worker::RunRequest& job, session::Status status, const std::string& message,
                              std::string pointer) {
    session::Report report;
    report.status = status;
    report.title = job.session.title;
    report.session = job.options.session_path;
    report.kernel = job.session.kernel;
    report.error = session::ReportError{};
    report.error->kind = status == session::Status::input_error ? "input" : "device";
    report.error->message = message;
    report.error->pointer = std::move(pointer);
    return report;
}

namespace {

std::optional<session::Report> run_in_worker_there(worker::RunRequest job, const session::DeviceChoice& choice,
                                                   bool only_with_device, const Manner& manner,
                                                   const RunLimits& limits) {
    job.options.device = choice.ordinal;
    worker::Exit exit;
    worker::ClientOptions client_options;
    client_options.driver = worker::driver_on(manner.machine, choice.driver);
    client_options.memory_limit = limits.memory;
    client_options.access = manner.access;
    client_options.confined = manner.confined;
    client_options.on_exit = [&](const worker::Exit& how) { exit = how; };
    if (manner.live)
        client_options.on_output = [](int, const std::string& text) {
            std::fwrite(text.data(), 1, text.size(), stdout);
            std::fflush(stdout);
        };
    ConnectionWords words(manner.machine);
    auto answered = words.watch()->attach(client_options);
    worker::Client client(client_options);
    client.start();
    LimitedRun run(job, client, limits, std::move(answered));
    if (only_with_device) {
        const auto devices = run.ask("devices", json::object());
        if (!devices) return run.report_of_late_run();
        if (!devices->ok || !worker::names_device(*devices->result)) return std::nullopt;
    }
    const auto reply = run.ask("run", worker::to_json(job));
    if (!reply) return run.report_of_late_run();
    if (reply->worker_died) {
        client.shutdown(); // waits for on_exit
        return run.report_of_lost_worker(exit);
    }
    if (!reply->ok) return run.judged(failed_report(job, session::Status::device_error, reply->error));
    auto report = session::report_from_json(*reply->result);
    if (manner.views) *manner.views = run.views_of(report);
    for (auto* list : {&report.inputs, &report.outputs})
        for (auto& each : *list)
            each.buffer.reset(); // their worker ends with this run
    client.shutdown();
    return run.judged(std::move(report));
}

} // namespace

std::optional<session::Report> run_in_worker(worker::RunRequest job, const session::DeviceChoice& choice,
                                             bool only_with_device, const Manner& manner, const RunLimits& limits) {
    auto report = run_in_worker_there(std::move(job), choice, only_with_device, manner, limits);
    if (report) report->machine = worker::machine_name(manner.machine);
    return report;
}

struct LastResort::State {
    std::mutex mutex;
    std::condition_variable ended;
    bool done = false;
};

LastResort::LastResort(const RunLimits& limits) : state_(std::make_shared<State>()) {
    if (limits.timeout.count() == 0) return;
    constexpr auto patience = std::chrono::seconds(5);
    thread_ = worker::start_thread([state = state_, when = limits.begin + limits.timeout + patience, limits] {
        std::unique_lock lock(state->mutex);
        if (state->ended.wait_until(lock, when, [&] { return state->done; })) return;
        const auto message = fmt::format("error: The run was stopped after {}, the limit of --timeout.\n",
                                         worker::format_duration(limits.timeout));
        std::fwrite(message.data(), 1, message.size(), stderr);
        std::_Exit(limit_reached);
    });
}

LastResort::~LastResort() {
    {
        const std::lock_guard lock(state_->mutex);
        state_->done = true;
    }
    state_->ended.notify_all();
    if (thread_.joinable()) thread_.join();
}

} // namespace warplight::cli
