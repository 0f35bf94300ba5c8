// SPDX-License-Identifier: GPL-3.0-or-later
/// A sweep that runs in the background, in workers of its own.
#pragma once

#include "session/sweep_runner.hpp"
#include "ui/common/background_job.hpp"
#include "ui/common/job_link.hpp"
#include "worker/run_request.hpp"

#include <memory>

namespace warplight::ui {

class SweepJob : public BackgroundJob {
    Q_OBJECT
public:
    explicit SweepJob(QObject* parent = nullptr) : BackgroundJob(parent), link_(new JobLink(this)) {}

    /// The session of the request has a sweep. stop() ends the run that goes on; `finished` still comes, with what was
    /// measured until then.
    /// @param machine "me@host:22", where the session's devices are then; empty: this one
    void start(worker::RunRequest request, const QString& machine = {});
    /// To `asked`. False: the sweep ends without a report.
    void answer(bool agreed);
    /// To the other machine.
    JobLink& link() const { return *link_; }

signals:
    void progressed(const warplight::session::SweepProgress& progress);
    /// So many points need the user's agreement. The time is below 0 where it is not known.
    void asked(quint64 points, double seconds);
    void listed(const std::shared_ptr<warplight::session::SweepReport>& report);
    void visited(std::size_t index, const warplight::session::SweepPointResult& point);
    void finished(const std::shared_ptr<warplight::session::SweepReport>& report);
    /// There is no report: the sweep could not be started. Without a problem the user stopped it or did not agree.
    void failed(const QString& problem);

protected:
    void take(Work& work) override;
    void finish(Work& work) override;

private:
    class Points;
    JobLink* link_;
};

} // namespace warplight::ui
