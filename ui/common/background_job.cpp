// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/background_job.hpp"

#include <QThread>
#include <utility>

namespace warplight::ui {

BackgroundJob::BackgroundJob(QObject* parent) : QObject(parent) {
    constexpr int intervalMs = 50;
    timer_.setInterval(intervalMs);
    connect(&timer_, &QTimer::timeout, this, [this] {
        const auto work = work_; // it may end meanwhile
        if (work) take(*work);
    });
}

BackgroundJob::~BackgroundJob() {
    if (!thread_) return;
    blockSignals(true);
    stop();
    thread_->wait();
    delete thread_;
}

void BackgroundJob::begin(std::shared_ptr<Work> work) {
    if (thread_) return;
    work_ = std::move(work);
    thread_ = QThread::create([work = work_] { work->run(); });
    connect(thread_, &QThread::finished, this, &BackgroundJob::end);
    thread_->start();
    timer_.start();
    emit runningChanged();
}

void BackgroundJob::stop() {
    if (!thread_ || work_->stopped.exchange(true)) return;
    work_->wake();
    emit runningChanged();
}

void BackgroundJob::end() {
    timer_.stop();
    take(*work_);
    thread_->wait();
    thread_->deleteLater();
    thread_ = nullptr;
    const auto work = std::exchange(work_, nullptr);
    emit runningChanged();
    finish(*work);
}

} // namespace warplight::ui
