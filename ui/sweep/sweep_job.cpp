// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep/sweep_job.hpp"

#include "worker/run_access.hpp"
#include "worker/sweep_workers.hpp"

#include <QThread>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace warplight::ui {

struct SweepJob::Shared {
    std::atomic<bool> stopped = false;
    std::mutex mutex;
    std::condition_variable answered;
    std::optional<bool> answer;
    std::optional<std::pair<quint64, double>> question;
    std::optional<session::SweepProgress> progress;
    std::shared_ptr<session::SweepReport> listed;
    std::vector<std::pair<std::size_t, session::SweepPointResult>> visited;
    // Of the end
    std::shared_ptr<session::SweepReport> report;
    QString problem;

    void run(const worker::RunRequest& request);
    bool ask(std::uint64_t points, double seconds);
};

bool SweepJob::Shared::ask(std::uint64_t points, double seconds) {
    std::unique_lock lock(mutex);
    question.emplace(points, seconds);
    answered.wait(lock, [this] { return answer.has_value() || stopped; });
    return answer.value_or(false);
}

void SweepJob::Shared::run(const worker::RunRequest& request) {
    const auto cancelled = [this] { return stopped.load(); };
    worker::SweepWorkersOptions options;
    options.access = worker::access_of(request);
    options.run = request.options;
    options.cancelled = cancelled;
    session::SweepHooks hooks;
    hooks.cancelled = cancelled;
    hooks.progress = [this](const session::SweepProgress& now) {
        const std::lock_guard lock(mutex);
        progress = now;
    };
    hooks.agree = [this](std::uint64_t points, double seconds) { return ask(points, seconds); };
    hooks.listed = [this](const session::SweepReport& points) {
        auto copy = std::make_shared<session::SweepReport>(points);
        const std::lock_guard lock(mutex);
        listed = std::move(copy);
    };
    hooks.visited = [this](std::size_t index, const session::SweepPointResult& point) {
        const std::lock_guard lock(mutex);
        visited.emplace_back(index, point);
    };
    try {
        worker::SweepWorkers workers(std::move(options));
        session::SweepOptions how;
        how.run = request.options;
        report = std::make_shared<session::SweepReport>(session::run_sweep(request.session, workers, how, hooks));
    } catch (const std::exception& error) {
        problem = QString::fromUtf8(error.what());
    }
}

SweepJob::SweepJob(QObject* parent) : QObject(parent) {
    constexpr int intervalMs = 50;
    timer_.setInterval(intervalMs);
    connect(&timer_, &QTimer::timeout, this, &SweepJob::take);
}

SweepJob::~SweepJob() {
    if (!thread_) return;
    blockSignals(true);
    stop();
    thread_->wait();
    delete thread_;
}

bool SweepJob::isStopping() const { return thread_ && shared_->stopped; }

void SweepJob::start(worker::RunRequest request) {
    if (thread_) return;
    shared_ = std::make_shared<Shared>();
    thread_ = QThread::create([shared = shared_, request = std::move(request)] { shared->run(request); });
    connect(thread_, &QThread::finished, this, &SweepJob::end);
    thread_->start();
    timer_.start();
    emit runningChanged();
}

void SweepJob::stop() {
    if (!thread_ || shared_->stopped.exchange(true)) return;
    {
        const std::lock_guard lock(shared_->mutex); // the thread waits for the answer, or has not looked yet
    }
    shared_->answered.notify_all();
    emit runningChanged();
}

void SweepJob::answer(bool agreed) {
    if (!thread_) return;
    {
        const std::lock_guard lock(shared_->mutex);
        shared_->answer = agreed;
    }
    shared_->answered.notify_all();
}

void SweepJob::take() {
    const auto shared = shared_;
    std::unique_lock lock(shared->mutex);
    const auto question = std::exchange(shared->question, std::nullopt);
    const auto progress = std::exchange(shared->progress, std::nullopt);
    const auto listed = std::exchange(shared->listed, nullptr);
    const auto points = std::exchange(shared->visited, {});
    lock.unlock();
    if (listed) emit this->listed(listed);
    for (const auto& [index, point] : points)
        emit visited(index, point);
    if (progress) emit progressed(*progress);
    if (question) emit asked(question->first, question->second);
}

void SweepJob::end() {
    timer_.stop();
    take();
    thread_->wait();
    thread_->deleteLater();
    thread_ = nullptr;
    const auto shared = std::exchange(shared_, nullptr);
    emit runningChanged();
    if (shared->report)
        emit finished(shared->report);
    else // the user knows of a stop
        emit failed(shared->stopped || shared->answer == false ? QString() : shared->problem);
}

} // namespace warplight::ui
