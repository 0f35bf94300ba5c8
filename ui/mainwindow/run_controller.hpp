// SPDX-License-Identifier: GPL-3.0-or-later
/// Builds and runs the document on the selected worker, and puts what comes back into the document.
#pragma once

#include "ui/common/workbench.hpp"
#include "worker/run_request.hpp"

#include <QElapsedTimer>
#include <QPointer>
#include <QSet>
#include <QTimer>
#include <functional>

namespace warplight::ui {

class RunController : public QObject {
    Q_OBJECT
public:
    explicit RunController(Workbench& workbench, QObject* parent = nullptr);

    bool isRunning() const { return runId_ >= 0; }
    bool isBuilding() const { return building_; }
    /// A compile result is asked for shortly after each edit; off: only Build and Run ask.
    void setCheckWhileTyping(bool check) { checkWhileTyping_ = check; }

    void build();
    /// True while the kernels of the text as it is are not known yet.
    bool areKernelsPending() const { return signatureTimer_.isActive() || asking_; }
    /// Calls it once they are, or cannot be; at most the last one that was given.
    void whenKernelsKnown(std::function<void()> then);
    void run();
    /// Asks the worker to cancel the run. One that has not done so after a moment, or when asked again, is ended,
    /// whatever it does, and a new one is started.
    void stop();

signals:
    void busyChanged(); ///< isRunning() or isBuilding()
    /// Of what is under way; the fraction is below 0 when unknown.
    void progressed(const QString& text, double fraction);
    void built(bool ok);
    void runStarted();
    /// The document has the report.
    void runFinished();
    /// No report came: the worker ended, or refused. `lost`: it ended by itself.
    void runFailed(const QString& message, bool lost);
    void runStopped(bool workerEnded);

private:
    void askSignatures();
    void kernelsKnown();
    void compile(bool asked);
    /// One that its worker took along, by the next one.
    void repeatCheck(int revision);
    void finishRun(const WorkerReply& reply, int revision);
    /// Of a run that took its worker with it, from the next one.
    void askInputsOfLostRun();
    void enterRun(session::Report report, const nlohmann::json& result, double overhead);
    void endWorker();
    /// Of runs that nobody can look at any more.
    void dropBuffers();

    Workbench& workbench_;
    QTimer signatureTimer_, checkTimer_, graceTimer_;
    QElapsedTimer clock_;
    QPointer<WorkerConnection> runWorker_;
    QSet<qint64> entered_;     ///< buffers of runs, by the window's numbers
    std::string instance_;     ///< of a template that the kernels were last asked for
    std::string compiled_;     ///< what the last compilation depended on besides the source
    worker::RunRequest asked_; ///< for the last run
    bool hadInputs_ = false;   ///< it got beyond reading its inputs
    int lostCheck_ = -1;       ///< revision of the text whose compilation nobody had asked for, and a worker took along
    int runId_ = -1;
    int attempt_ = 0; ///< counts runs, and sessions that were opened
    std::function<void()> whenKnown_;
    bool asking_ = false; ///< for the kernels of the text
    bool building_ = false, stopping_ = false, checkWhileTyping_ = true;
};

} // namespace warplight::ui
