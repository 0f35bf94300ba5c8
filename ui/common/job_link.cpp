// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/job_link.hpp"

#include "worker/connection_watch.hpp"

#include <mutex>
#include <optional>
#include <utility>

namespace warplight::ui {

/// What threads of the workers tell, and the window's thread takes.
struct JobLink::News {
    std::mutex mutex;
    std::optional<worker::ConnectionState> state;
    std::optional<worker::FilesOnTheirWay> files;
};

JobLink::JobLink(QObject* parent) : QObject(parent) {
    lostClock_.setInterval(1000); // the seconds are shown
    connect(&lostClock_, &QTimer::timeout, this, [this] {
        link_.lostMs = sinceLost_.elapsed();
        emit changed();
    });
}

JobLink::~JobLink() = default;

std::shared_ptr<worker::ConnectionWatch> JobLink::begin(const QString& machine) {
    end();
    machine_ = machine;
    if (machine.isEmpty()) return nullptr;
    news_ = std::make_shared<News>();
    worker::ConnectionWatch::Hooks hooks;
    hooks.on_state = [news = news_](const worker::ConnectionState& state) {
        const std::lock_guard lock(news->mutex);
        news->state = state;
    };
    hooks.on_files = [news = news_](const worker::FilesOnTheirWay& files) {
        const std::lock_guard lock(news->mutex);
        news->files = files;
    };
    // Banners stand in Output since the window's own worker connected.
    return std::make_shared<worker::ConnectionWatch>(std::move(hooks));
}

void JobLink::take() {
    if (!news_) return;
    std::unique_lock lock(news_->mutex);
    const auto state = std::exchange(news_->state, std::nullopt);
    const auto files = std::exchange(news_->files, std::nullopt);
    lock.unlock();
    if (state) {
        const bool wasLost = isLost();
        const qint64 lostMs = link_.lostMs;
        link_ = machineLink(*state);
        if (isLost() && wasLost)
            link_.lostMs = lostMs;
        else if (isLost())
            sinceLost_.start();
        if (isLost() && !wasLost) lostClock_.start();
        if (!isLost()) lostClock_.stop();
    }
    if (files) {
        files_ = files->text.empty() ? QString() : transferText(QString::fromStdString(files->text));
        fraction_ = files->fraction;
    }
    if (state || files) emit changed();
}

void JobLink::end() {
    lostClock_.stop();
    news_.reset();
    files_.clear();
    fraction_ = -1;
    if (std::exchange(link_, {}).state != MachineLink::State::Off) emit changed();
}

QString JobLink::text() const {
    if (link_.state == MachineLink::State::Connecting) return connectingText(machine_);
    if (isLost())
        return tr("The connection to %1 was lost %2 s ago. Trying again.").arg(machine_).arg(link_.lostMs / 1000);
    return files_;
}

double JobLink::fraction() const { return files_.isEmpty() || isLost() ? -1 : fraction_; }

} // namespace warplight::ui
