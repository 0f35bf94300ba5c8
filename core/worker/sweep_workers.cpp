// SPDX-License-Identifier: Apache-2.0
#include "worker/sweep_workers.hpp"

#include "worker/client.hpp"
#include "worker/connection_watch.hpp"
#include "worker/limits.hpp"
#include "worker/run_request.hpp"
#include "worker/thread_start.hpp"

#include "warplight/driver.hpp"

#include <algorithm>
#include <atomic>
#include <future>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>
#include <utility>

namespace warplight::worker {
namespace {

using nlohmann::json;
using std::chrono::steady_clock;

/// More at once only share the processors.
constexpr std::size_t most_compilers = 8;

session::Report failed(session::Status status, std::string kind, std::string message) {
    session::Report report;
    report.status = status;
    report.error = session::ReportError{};
    report.error->kind = std::move(kind);
    report.error->message = std::move(message);
    return report;
}

session::Report stopped() { return failed(session::Status::cancelled, "cancelled", "The sweep was stopped."); }

} // namespace

struct SweepWorkers::Worker {
    std::string driver;
    std::mutex mutex;
    Exit exit;                              ///< of the last process
    std::function<void()> answered = [] {}; ///< for the watch
    std::unique_ptr<Client> client;

    /// Waits for the answer to a request. Nothing where the user has stopped the sweep, or after the timeout.
    struct Answer {
        std::optional<Reply> reply;
        bool late = false;
    };
    Answer ask(const std::string& method, json parameters, const std::function<bool()>& cancelled,
               std::chrono::milliseconds timeout) {
        auto answer = std::make_shared<std::promise<Reply>>();
        auto future = answer->get_future();
        const int id =
            client->call(method, std::move(parameters), [answer](const Reply& reply) { answer->set_value(reply); });
        const auto end = steady_clock::now() + timeout;
        constexpr auto step = std::chrono::milliseconds(50);
        bool late = false;
        while (future.wait_for(step) != std::future_status::ready) {
            late = timeout.count() > 0 && steady_clock::now() > end;
            if (!late && !(cancelled && cancelled())) continue;
            // The software device ends a kernel that is cancelled. Another one ends with its worker.
            client->cancel(id);
            if (future.wait_for(std::chrono::seconds(1)) != std::future_status::ready) {
                client->kill(); // who needs it next starts it again
                future.wait();
            }
            answered();
            return {std::nullopt, late};
        }
        answered();
        return {future.get(), false};
    }
};

SweepWorkers::SweepWorkers(SweepWorkersOptions options) : options_(std::move(options)) {}

SweepWorkers::~SweepWorkers() = default;

std::unique_ptr<SweepWorkers::Worker> SweepWorkers::start(const std::string& driver) const {
    auto worker = std::make_unique<Worker>();
    worker->driver = driver;
    ClientOptions options;
    options.driver = driver_on(options_.machine, driver);
    options.memory_limit = options_.memory_limit;
    options.access = options_.access;
    options.confined = options_.confined;
    options.on_exit = [to = worker.get()](const Exit& exit) {
        const std::lock_guard lock(to->mutex);
        to->exit = exit;
    };
    if (options_.watch) worker->answered = options_.watch->attach(options);
    worker->client = std::make_unique<Client>(std::move(options));
    worker->client->start();
    return worker;
}

SweepWorkers::Worker& SweepWorkers::worker_of(const std::string& driver) {
    for (const auto& each : workers_)
        if (each->driver == driver) return *each;
    workers_.push_back(start(driver));
    return *workers_.back();
}

session::DeviceChoice SweepWorkers::choice_of(const session::Session& session) {
    auto choice = session::parse_device(session.device);
    if (choice.driver != "auto") return choice;
    if (best_driver_.empty()) {
        best_driver_ = "software";
        // Without NVIDIA's driver there is no need to ask a worker.
        if (!options_.machine.empty() || driver::Driver::cuda().available()) {
            const auto answer =
                worker_of("cuda").ask("devices", json::object(), options_.cancelled, std::chrono::milliseconds(0));
            if (answer.reply && answer.reply->ok && names_device(*answer.reply->result)) best_driver_ = "cuda";
        }
    }
    choice.driver = best_driver_;
    return choice;
}

json SweepWorkers::devices(const session::Session& session) {
    const auto choice = choice_of(session);
    auto& worker = worker_of(choice.driver);
    if (!worker.client->running()) worker.client->restart();
    const auto answer = worker.ask("devices", json::object(), options_.cancelled, options_.timeout);
    auto result = answer.reply && answer.reply->ok ? *answer.reply->result : json::object();
    result["driver"] = choice.driver;
    return result;
}

session::Report SweepWorkers::run(const session::Session& session, const session::RunOptions& options) {
    auto report = run_once(session, options);
    report.machine = machine_name(options_.machine);
    return report;
}

session::Report SweepWorkers::report_of_end(Worker& worker) {
    worker.client->shutdown(); // waits for on_exit
    const std::scoped_lock lock(worker.mutex, mutex_);
    auto report = failed(session::Status::device_error, "device", end_sentences(worker.exit.reason));
    report.end = end_name(worker.exit.reason.kind);
    if (worker.exit.reason.kind == EndKind::connection) {
        unreachable_ = report;
        unreachable_until_ = steady_clock::now() + std::chrono::minutes(1);
    }
    return report;
}

std::optional<session::Report> SweepWorkers::unreachable() {
    const std::lock_guard lock(mutex_);
    if (unreachable_ && steady_clock::now() >= unreachable_until_) unreachable_.reset();
    return unreachable_;
}

session::Report SweepWorkers::run_once(const session::Session& session, const session::RunOptions& options) {
    const auto choice = choice_of(session);
    auto& worker = worker_of(choice.driver);
    if (auto failure = unreachable()) return std::move(*failure);
    if (!worker.client->running()) worker.client->restart();
    RunRequest request{session, options};
    request.options.device = choice.ordinal;
    const auto answer = worker.ask("run", to_json(request), options_.cancelled, options_.timeout);
    if (answer.late)
        return failed(session::Status::limit_reached, "limit",
                      "The run was stopped after " + format_duration(options_.timeout) + ", the limit of --timeout.");
    if (!answer.reply) return stopped();
    const Reply& reply = *answer.reply;
    if (reply.worker_died) return report_of_end(worker);
    if (!reply.ok) return failed(session::Status::device_error, "device", reply.error);
    auto report = session::report_from_json(*reply.result);
    // After a sticky error every call of that process to the device fails.
    if (reply.result->value("restart_needed", false)) worker.client->restart();
    return report;
}

std::vector<session::SweepCompilation> SweepWorkers::compile(const std::vector<session::Session>& sessions,
                                                             const std::function<void(std::size_t)>& done) {
    std::vector<session::SweepCompilation> results(sessions.size());
    std::vector<session::DeviceChoice> choices;
    choices.reserve(sessions.size());
    for (const auto& each : sessions)
        choices.push_back(choice_of(each));
    std::atomic<std::size_t> next = 0;
    std::mutex mutex;
    std::size_t finished = 0;
    std::exception_ptr problem;
    const auto work = [&](Worker* own) {
        std::vector<std::unique_ptr<Worker>> started;
        for (std::size_t i = next++; i < sessions.size(); i = next++) {
            auto& result = results[i];
            if (options_.cancelled && options_.cancelled()) {
                result.ok = true; // its points are not run
                continue;
            }
            if (const auto failure = unreachable()) {
                result = {false, failure->error->message, 0};
                continue;
            }
            Worker* worker = own && own->driver == choices[i].driver ? own : nullptr;
            for (const auto& each : started)
                if (each->driver == choices[i].driver) worker = each.get();
            if (!worker) worker = started.emplace_back(start(choices[i].driver)).get();
            if (!worker->client->running()) worker->client->restart();
            RunRequest request{sessions[i], options_.run};
            request.options.device = choices[i].ordinal;
            request.options.compile_only = true;
            const auto answer = worker->ask("run", to_json(request), options_.cancelled, options_.timeout);
            if (answer.late) {
                result = {false, "The compilation was stopped after the limit of --timeout.", 0};
            } else if (answer.reply && answer.reply->worker_died) {
                result = {false, report_of_end(*worker).error->message, 0};
            } else if (answer.reply && !answer.reply->ok) {
                result = {false, answer.reply->error, 0};
            } else if (answer.reply) {
                const auto report = session::report_from_json(*answer.reply->result);
                result.ms = report.compile.ms;
                if (report.error && report.status != session::Status::cancelled)
                    result = {false, report.error->message, report.compile.ms};
            }
            const std::lock_guard lock(mutex);
            done(++finished);
        }
    };
    const auto guarded = [&](Worker* own) {
        try {
            work(own);
        } catch (...) {
            const std::lock_guard lock(mutex);
            if (!problem) problem = std::current_exception();
        }
    };
    const std::size_t threads =
        std::min({sessions.size(), most_compilers, std::max<std::size_t>(std::thread::hardware_concurrency(), 1)});
    // The worker that runs the points is one of those that compile: it starts while the others do.
    Worker* own = sessions.empty() ? nullptr : &worker_of(choices.front().driver);
    std::vector<std::thread> others;
    for (std::size_t i = 1; i < threads; ++i)
        others.push_back(start_thread([&] { guarded(nullptr); }));
    guarded(own);
    for (auto& each : others)
        each.join();
    if (problem) std::rethrow_exception(problem);
    return results;
}

} // namespace warplight::worker
