// SPDX-License-Identifier: GPL-3.0-or-later
/// Work in a thread of its own. What it tells is taken over into the window's thread now and then.
#pragma once

#include <QObject>
#include <QTimer>
#include <atomic>
#include <memory>

class QThread;

namespace warplight::ui {

/// Nothing here blocks but the destructor, which waits for the work that it stops.
class BackgroundJob : public QObject {
    Q_OBJECT
public:
    /// What the thread and the window share. The thread keeps it alive.
    class Work {
    public:
        Work() = default;
        virtual ~Work() = default;
        Work(const Work&) = delete;
        Work& operator=(const Work&) = delete;

        /// In the thread. It asks `stopped` now and then, and lets no exception out.
        virtual void run() = 0;
        /// In the window's thread, once `stopped` is set: ends a wait of the thread.
        virtual void wake() {}

        std::atomic<bool> stopped = false;
    };

    explicit BackgroundJob(QObject* parent = nullptr);
    ~BackgroundJob() override;

    bool isRunning() const { return thread_ != nullptr; }
    bool isStopping() const { return work_ && work_->stopped; }
    /// The work ends as soon as it can. Its end is told as ever.
    void stop();

signals:
    void runningChanged();

protected:
    void begin(std::shared_ptr<Work> work);
    /// Of the work that goes on, else null.
    Work* work() const { return work_.get(); }
    /// In the window's thread, now and then and once more at the end: takes over what the work has told.
    virtual void take(Work& work) = 0;
    /// In the window's thread, when the work is done and isRunning() is false again.
    virtual void finish(Work& work) = 0;

private:
    void end();

    std::shared_ptr<Work> work_;
    QThread* thread_ = nullptr;
    QTimer timer_;
};

} // namespace warplight::ui
