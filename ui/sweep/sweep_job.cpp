// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep/sweep_job.hpp"

#include "ui/common/device_id.hpp"
#include "worker/run_access.hpp"
#include "worker/sweep_workers.hpp"

#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace warplight::ui {

class SweepJob::Points : public Work {
public:
    Points(worker::RunRequest request, const QString& machine, std::shared_ptr<worker::ConnectionWatch> watch)
        : request_(std::move(request)), machine_(placeOf(machine).toStdString()), watch_(std::move(watch)) {}
    void run() override;
    void wake() override;
    bool ask(std::uint64_t points, double seconds);

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

private:
    const worker::RunRequest request_;
    const std::string machine_;
    const std::shared_ptr<worker::ConnectionWatch> watch_;
};

void SweepJob::Points::wake() {
    {
        const std::lock_guard lock(mutex); // the thread waits for the answer, or has not looked yet
    }
    answered.notify_all();
}

bool SweepJob::Points::ask(std::uint64_t points, double seconds) {
    std::unique_lock lock(mutex);
    question.emplace(points, seconds);
    answered.wait(lock, [this] { return answer.has_value() || stopped; });
    return answer.value_or(false);
}

void SweepJob::Points::run() {
    const auto cancelled = [this] { return stopped.load(); };
    worker::SweepWorkersOptions options;
    options.access = worker::access_of(request_);
    options.run = request_.options;
    options.machine = machine_;
    options.watch = watch_;
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
        how.run = request_.options;
        report = std::make_shared<session::SweepReport>(session::run_sweep(request_.session, workers, how, hooks));
    } catch (const std::exception& error) {
        problem = QString::fromUtf8(error.what());
    }
}

void SweepJob::start(worker::RunRequest request, const QString& machine) {
    if (!isRunning()) begin(std::make_shared<Points>(std::move(request), machine, link_->begin(machine)));
}

void SweepJob::answer(bool agreed) {
    if (!isRunning()) return;
    auto& points = static_cast<Points&>(*work());
    {
        const std::lock_guard lock(points.mutex);
        points.answer = agreed;
    }
    points.answered.notify_all();
}

void SweepJob::take(Work& work) {
    auto& told = static_cast<Points&>(work);
    std::unique_lock lock(told.mutex);
    const auto question = std::exchange(told.question, std::nullopt);
    const auto progress = std::exchange(told.progress, std::nullopt);
    const auto list = std::exchange(told.listed, nullptr);
    const auto points = std::exchange(told.visited, {});
    lock.unlock();
    link_->take();
    if (list) emit listed(list);
    for (const auto& [index, point] : points)
        emit visited(index, point);
    if (progress) emit progressed(*progress);
    if (question) emit asked(question->first, question->second);
}

void SweepJob::finish(Work& work) {
    auto& points = static_cast<Points&>(work);
    link_->end();
    if (points.report)
        emit finished(points.report);
    else // the user knows of a stop
        emit failed(points.stopped || points.answer == false ? QString() : points.problem);
}

} // namespace warplight::ui
