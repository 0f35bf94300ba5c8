// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/loading.hpp"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

namespace warplight::ui {

/// What a thread and the window share. The last of them removes it.
struct Loading::Job {
    std::mutex mutex;
    std::condition_variable ended;
    bool done = false;
    Then then;                ///< empty: there was not enough memory
    Loading* owner = nullptr; ///< who is told; null while it waits itself, and once nobody wants to know
};

Loading::Loading(Activities& activities, QObject* parent) : QObject(parent), activities_(activities) {}

Loading::~Loading() {
    for (const Running& each : std::as_const(running_)) {
        const std::lock_guard lock(each.job->mutex);
        each.job->owner = nullptr;
    }
}

int Loading::load(const QString& text, Read read, Then gaveUp) {
    const auto job = std::make_shared<Job>();
    const int number = ++last_;
    std::thread([job, number, read = std::move(read), before = beforeReading]() mutable {
        Then then;
        try {
            if (before) before();
            then = read();
        } catch (const std::exception&) { // memory; all else is told by what read() returns
        }
        read = {};
        {
            const std::lock_guard lock(job->mutex);
            job->then = std::move(then);
            job->done = true;
            if (job->owner)
                QMetaObject::invokeMethod(
                    job->owner, [owner = job->owner, number] { owner->end(number); }, Qt::QueuedConnection);
        }
        job->ended.notify_all();
    }).detach();
    running_.insert(number, {job, std::move(gaveUp), nullptr});
    {
        std::unique_lock lock(job->mutex);
        job->ended.wait_for(lock, std::chrono::milliseconds(briefMs), [&job] { return job->done; });
        if (!job->done) {
            job->owner = this;
            running_[number].activity = activities_.begin(text, [this, number] { stop(number); });
            return number;
        }
    }
    end(number);
    return 0;
}

void Loading::end(int number) {
    if (!running_.contains(number)) return; // stopped
    const Running ended = running_.take(number);
    const Then then = std::exchange(ended.job->then, {});
    if (then)
        then();
    else if (ended.gaveUp)
        ended.gaveUp();
}

void Loading::stop(int number) {
    if (!running_.contains(number)) return;
    const Running stopped = running_.take(number);
    {
        const std::lock_guard lock(stopped.job->mutex);
        stopped.job->owner = nullptr;
    }
    if (stopped.gaveUp) stopped.gaveUp();
}

} // namespace warplight::ui
