// SPDX-License-Identifier: GPL-3.0-or-later
/// Whether the window answers: for how long its event loop was busy at most.
#pragma once

#include <QElapsedTimer>
#include <QTimer>
#include <algorithm>

namespace warplight::ui {

class Heartbeat {
public:
    Heartbeat() {
        timer_.setInterval(10);
        QObject::connect(&timer_, &QTimer::timeout, [this] { beat(); });
        since_.start();
        timer_.start();
    }

    /// Milliseconds, also of what lasts until now.
    qint64 longest() {
        beat();
        return longest_;
    }
    void restart() {
        since_.restart();
        longest_ = 0;
    }

private:
    void beat() { longest_ = std::max(longest_, since_.restart()); }

    QTimer timer_;
    QElapsedTimer since_;
    qint64 longest_ = 0;
};

} // namespace warplight::ui
