// SPDX-License-Identifier: GPL-3.0-or-later
/// A solution that runs on all cases of an exercise in the background, in a worker of its own. Its results reach no
/// view of the window.
#pragma once

#include "session/exercise_cases.hpp"
#include "ui/common/background_job.hpp"
#include "ui/common/job_link.hpp"
#include "worker/run_request.hpp"

namespace warplight::ui {

class ExerciseJob : public BackgroundJob {
    Q_OBJECT
public:
    explicit ExerciseJob(QObject* parent = nullptr) : BackgroundJob(parent), link_(new JobLink(this)) {}

    /// The request has the solution as its source's text. stop() ends the case that runs; `finished` still comes.
    /// @param machine "me@host:22", where the session's device is then; empty: this one
    void start(worker::RunRequest request, const QString& machine = {});
    /// To the other machine.
    JobLink& link() const { return *link_; }

signals:
    void visited(std::size_t index, const warplight::session::CaseResult& result);
    /// With a problem no case was run: a sentence.
    void finished(const QString& problem);

protected:
    void take(Work& work) override;
    void finish(Work& work) override;

private:
    class Cases;
    JobLink* link_;
};

} // namespace warplight::ui
