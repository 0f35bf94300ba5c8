// SPDX-License-Identifier: GPL-3.0-or-later
/// Builds and runs the document on the selected worker, and puts what comes back into the document.
#pragma once

#include "ui/common/workbench.hpp"

#include <QElapsedTimer>
#include <QPointer>
#include <QTimer>

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
    void compile(bool asked);
    void takeKernels(std::vector<compiler::Kernel> kernels);
    void finishRun(const WorkerReply& reply, int revision);
    void endWorker();

    Workbench& workbench_;
    QTimer signatureTimer_, checkTimer_, graceTimer_;
    QElapsedTimer clock_;
    QPointer<WorkerConnection> runWorker_;
    int runId_ = -1;
    bool building_ = false, stopping_ = false, checkWhileTyping_ = true;
};

} // namespace warplight::ui
