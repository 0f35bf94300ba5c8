// SPDX-License-Identifier: GPL-3.0-or-later
/// Builds and runs the document on the selected worker, and puts the results into the document.
#pragma once

#include "ui/common/workbench.hpp"
#include "worker/run_request.hpp"

#include <QElapsedTimer>
#include <QPointer>
#include <QSet>
#include <QTimer>
#include <functional>
#include <string>
#include <vector>

namespace warplight::ui {

class RunController : public QObject {
    Q_OBJECT
public:
    explicit RunController(Workbench& workbench, QObject* parent = nullptr);

    bool isRunning() const { return runId_ >= 0; }
    bool isBuilding() const { return building_; }
    /// On: compiles shortly after each edit. Off: only Build and Run compile.
    void setCheckWhileTyping(bool check) { checkWhileTyping_ = check; }

    void build();
    /// True while the kernels of the current text are not known yet.
    bool areKernelsPending() const { return signatureTimer_.isActive() || asking_; }
    /// Calls the function once they are known or cannot be. A newer function replaces the older.
    void whenKernelsKnown(std::function<void()> then);
    /// The session as it stands in the window, with the text in the editor.
    worker::RunRequest request() const;
    /// @param overwrite results may replace files that the session has not written
    void run(bool overwrite = false);
    /// Has the next run record a warp (profile::WarpChoice as text); empty: none.
    void setRecordedWarp(const QString& choice) { recordedWarp_ = choice; }
    /// Asks the worker to cancel the run. After half a second, or when called again, the worker is killed and a new one
    /// is started.
    void stop();

signals:
    void busyChanged(); ///< isRunning() or isBuilding()
    /// Progress of the build or run; the fraction is below 0 when unknown.
    void progressed(const QString& text, double fraction);
    void built(bool ok);
    void runStarted();
    /// The document has the report.
    void runFinished();
    /// The run has no report, because the worker ended or refused it.
    /// @param lost the worker ended by itself
    void runFailed(const QString& message, bool lost);
    void runStopped(bool workerEnded);

private:
    void askSignatures();
    void kernelsKnown();
    void compile(bool asked);
    /// Repeats on a new worker the check that ended its worker.
    void repeatCheck(int revision);
    void finishRun(const WorkerReply& reply, int revision);
    /// Asks a new worker for the inputs of a run that ended its worker.
    void askInputsOfLostRun();
    void enterRun(session::Report report, const nlohmann::json& result, double overhead);
    void endWorker();
    /// Closes buffers of runs that are not shown any more.
    void dropBuffers();

    Workbench& workbench_;
    QTimer signatureTimer_, checkTimer_, graceTimer_;
    QElapsedTimer clock_;
    QPointer<WorkerConnection> runWorker_, buildWorker_; ///< of the last one
    QSet<qint64> entered_;                               ///< buffers of runs, by the window's numbers
    /// Of templates, that kernels were last asked for.
    std::vector<std::string> instances_;
    std::string compiled_;     ///< inputs of the last compilation besides the source
    worker::RunRequest asked_; ///< the last run
    bool hadInputs_ = false;   ///< the last run got beyond reading its inputs
    int lostCheck_ = -1;       ///< revision of the text whose unasked check ended a worker
    QString recordedWarp_;     ///< of the next run
    int runId_ = -1;
    int attempt_ = 0; ///< counts runs and opened sessions
    std::function<void()> whenKnown_;
    bool asking_ = false; ///< for the kernels of the text
    bool building_ = false, stopping_ = false, checkWhileTyping_ = true;
};

} // namespace warplight::ui
