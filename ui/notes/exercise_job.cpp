// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/notes/exercise_job.hpp"

#include "worker/exercise_workers.hpp"

#include <QThread>
#include <atomic>
#include <exception>
#include <mutex>
#include <utility>

namespace warplight::ui {
namespace {

/// A solution that takes all of the machine's memory takes the window with it.
constexpr std::uint64_t mostMemory = std::uint64_t{4} << 30;

} // namespace

struct ExerciseJob::Shared {
    std::atomic<bool> stopped = false;
    std::mutex mutex;
    std::vector<std::pair<std::size_t, session::CaseResult>> visited;
    QString problem; ///< of the end

    void run(const worker::RunRequest& request);
};

void ExerciseJob::Shared::run(const worker::RunRequest& request) {
    const auto cancelled = [this] { return stopped.load(); };
    session::ExerciseHooks hooks;
    hooks.cancelled = cancelled;
    hooks.visited = [this](std::size_t index, const session::CaseResult& result) {
        const std::lock_guard lock(mutex);
        visited.emplace_back(index, result);
    };
    try {
        worker::SweepWorkersOptions options;
        options.access = worker::access_of_exercise(request.session, request.options);
        options.run = request.options;
        options.memory_limit = mostMemory;
        options.cancelled = cancelled;
        worker::ExerciseWorkers device(std::move(options));
        session::run_exercise(request.session, request.options.source_text.value_or(std::string()), request.options,
                              device, {}, hooks);
    } catch (const std::exception& error) {
        problem = QString::fromUtf8(error.what());
    }
}

ExerciseJob::ExerciseJob(QObject* parent) : QObject(parent) {
    constexpr int intervalMs = 50;
    timer_.setInterval(intervalMs);
    connect(&timer_, &QTimer::timeout, this, &ExerciseJob::take);
}

ExerciseJob::~ExerciseJob() {
    if (!thread_) return;
    blockSignals(true);
    stop();
    thread_->wait();
    delete thread_;
}

void ExerciseJob::start(worker::RunRequest request) {
    if (thread_) return;
    shared_ = std::make_shared<Shared>();
    thread_ = QThread::create([shared = shared_, request = std::move(request)] { shared->run(request); });
    connect(thread_, &QThread::finished, this, &ExerciseJob::end);
    thread_->start();
    timer_.start();
    emit runningChanged();
}

void ExerciseJob::stop() {
    if (thread_) shared_->stopped = true;
}

void ExerciseJob::take() {
    const auto shared = shared_;
    std::unique_lock lock(shared->mutex);
    const auto results = std::exchange(shared->visited, {});
    lock.unlock();
    for (const auto& [index, result] : results)
        emit visited(index, result);
}

void ExerciseJob::end() {
    timer_.stop();
    take();
    thread_->wait();
    thread_->deleteLater();
    thread_ = nullptr;
    const auto shared = std::exchange(shared_, nullptr);
    emit runningChanged();
    emit finished(shared->problem);
}

} // namespace warplight::ui
