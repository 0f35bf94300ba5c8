// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/notes/exercise_job.hpp"

#include "ui/common/device_id.hpp"
#include "worker/exercise_workers.hpp"

#include <exception>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace warplight::ui {
namespace {

/// A solution that takes all of the machine's memory takes the window with it.
constexpr std::uint64_t mostMemory = std::uint64_t{4} << 30;

} // namespace

class ExerciseJob::Cases : public Work {
public:
    Cases(worker::RunRequest request, const QString& machine, std::shared_ptr<worker::ConnectionWatch> watch)
        : request_(std::move(request)), machine_(placeOf(machine).toStdString()), watch_(std::move(watch)) {}
    void run() override;

    std::mutex mutex;
    std::vector<std::pair<std::size_t, session::CaseResult>> visited;
    QString problem; ///< of the end

private:
    const worker::RunRequest request_;
    const std::string machine_;
    const std::shared_ptr<worker::ConnectionWatch> watch_;
};

void ExerciseJob::Cases::run() {
    const auto cancelled = [this] { return stopped.load(); };
    session::ExerciseHooks hooks;
    hooks.cancelled = cancelled;
    hooks.visited = [this](std::size_t index, const session::CaseResult& result) {
        const std::lock_guard lock(mutex);
        visited.emplace_back(index, result);
    };
    try {
        worker::SweepWorkersOptions options;
        options.access = worker::access_of_exercise(request_.session, request_.options);
        options.run = request_.options;
        options.machine = machine_;
        options.watch = watch_;
        options.memory_limit = mostMemory;
        options.cancelled = cancelled;
        worker::ExerciseWorkers device(std::move(options));
        session::run_exercise(request_.session, request_.options.source_text.value_or(std::string()), request_.options,
                              device, {}, hooks);
    } catch (const std::exception& error) {
        problem = QString::fromUtf8(error.what());
    }
}

void ExerciseJob::start(worker::RunRequest request, const QString& machine) {
    if (!isRunning()) begin(std::make_shared<Cases>(std::move(request), machine, link_->begin(machine)));
}

void ExerciseJob::take(Work& work) {
    auto& cases = static_cast<Cases&>(work);
    std::unique_lock lock(cases.mutex);
    const auto results = std::exchange(cases.visited, {});
    lock.unlock();
    link_->take();
    for (const auto& [index, result] : results)
        emit visited(index, result);
}

void ExerciseJob::finish(Work& work) {
    link_->end();
    emit finished(static_cast<Cases&>(work).problem);
}

} // namespace warplight::ui
