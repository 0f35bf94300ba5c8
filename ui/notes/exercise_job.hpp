// SPDX-License-Identifier: GPL-3.0-or-later
/// A solution that runs on all cases of an exercise in the background, in a worker of its own. Its results reach no
/// view of the window. Nothing here blocks but the destructor, which waits for the run that it stops.
#pragma once

#include "session/exercise_cases.hpp"
#include "worker/run_request.hpp"

#include <QObject>
#include <QTimer>
#include <memory>
#include <vector>

class QThread;

namespace warplight::ui {

class ExerciseJob : public QObject {
    Q_OBJECT
public:
    explicit ExerciseJob(QObject* parent = nullptr);
    ~ExerciseJob() override;

    bool isRunning() const { return thread_ != nullptr; }
    /// The request has the solution as its source's text.
    void start(worker::RunRequest request);
    /// Ends the case that runs. `finished` still comes.
    void stop();

signals:
    void runningChanged();
    void visited(std::size_t index, const warplight::session::CaseResult& result);
    /// With a problem no case was run: a sentence.
    void finished(const QString& problem);

private:
    struct Shared;
    void take();
    void end();

    std::shared_ptr<Shared> shared_; ///< with the thread
    QThread* thread_ = nullptr;
    QTimer timer_; ///< takes over what the thread has told
};

} // namespace warplight::ui
