// SPDX-License-Identifier: GPL-3.0-or-later
/// A sweep that runs in the background, in workers of its own. Nothing here blocks but the destructor, which waits for
/// the run that it stops.
#pragma once

#include "session/sweep_runner.hpp"
#include "worker/run_request.hpp"

#include <QObject>
#include <QTimer>
#include <memory>

class QThread;

namespace warplight::ui {

class SweepJob : public QObject {
    Q_OBJECT
public:
    explicit SweepJob(QObject* parent = nullptr);
    ~SweepJob() override;

    bool isRunning() const { return thread_ != nullptr; }
    bool isStopping() const;
    /// The session of the request has a sweep.
    void start(worker::RunRequest request);
    /// Ends the run that goes on. `finished` still comes, with what was measured until then.
    void stop();
    /// To `asked`. False: the sweep ends without a report.
    void answer(bool agreed);

signals:
    void runningChanged();
    void progressed(const warplight::session::SweepProgress& progress);
    /// So many points need the user's agreement. The time is below 0 where it is not known.
    void asked(quint64 points, double seconds);
    void listed(const std::shared_ptr<warplight::session::SweepReport>& report);
    void visited(std::size_t index, const warplight::session::SweepPointResult& point);
    void finished(const std::shared_ptr<warplight::session::SweepReport>& report);
    /// There is no report: the sweep could not be started. Without a problem the user stopped it or did not agree.
    void failed(const QString& problem);

private:
    struct Shared;
    void take();
    void end();

    std::shared_ptr<Shared> shared_; ///< with the thread
    QThread* thread_ = nullptr;
    QTimer timer_; ///< takes over what the thread has told
};

} // namespace warplight::ui
