// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/buffers/buffers_panel.hpp"
#include "ui/common/device_id.hpp"
#include "ui/common/format.hpp"
#include "ui/common/number_box.hpp"
#include "ui/launch/launch_form.hpp"
#include "ui/launch/launch_panel.hpp"
#include "ui/mainwindow/banner.hpp"
#include "ui/mainwindow/main_window.hpp"
#include "ui/mainwindow/run_controller.hpp"
#include "ui/notes/exercise_box.hpp"
#include "ui/notes/notes_panel.hpp"
#include "ui/output/output_panel.hpp"
#include "ui/problems/problems_panel.hpp"
#include "ui/program/program_runner.hpp"
#include "ui/sweep/sweep_page.hpp"
#include "ui/timing/timing_panel.hpp"

#include <QLabel>

namespace warplight::ui {

void MainWindow::connectRunner() {
    connect(&turn_, &DeviceTurn::begun, this, &MainWindow::beginTurn);
    connect(&turn_, &DeviceTurn::waitsForChanged, this, &MainWindow::showWaiting);
    connect(runner_, &RunController::busyChanged, this, &MainWindow::showBusy);
    connect(runner_, &RunController::progressed, this, &MainWindow::showProgress);
    connect(runner_, &RunController::built, this, &MainWindow::showBuilt);
    connect(&document(), &Document::compiled, this, &MainWindow::closeOldNews);
    connect(runner_, &RunController::runStarted, this, [this] {
        runUnderWay_ = true;
        banners_->close(QStringLiteral("idle"));
    });
    connect(runner_, &RunController::runFinished, this, &MainWindow::showRunResult);
    connect(runner_, &RunController::runStopped, this, [this](bool workerEnded) {
        runUnderWay_ = false;
        runBanner_ = RunBanner::Stays;
        banners_->show(QStringLiteral("run"), BannerStack::Kind::Info, tr("Stopped"),
                       workerEnded ? tr("The worker did not answer. It was ended and started again; the session is as "
                                        "it was.")
                                   : tr("The session and the last results are as they were."),
                       {{tr("Run again"), [this] { run(); }}});
    });
    connect(runner_, &RunController::runFailed, this, &MainWindow::showFailure);
    workbench_.forEachWorker(this, [this](WorkerConnection* worker) {
        if (worker->isRemote())
            connect(worker, &WorkerConnection::linkChanged, this, [this, worker] {
                if (worker == &workbench_.worker()) showLink();
            });
        connect(worker, &WorkerConnection::endedIdle, this, [this, worker](const QString& reason) {
            const QString device = worker->isRemote()        ? workbench_.machines().title(worker->machine())
                                   : isGpu(worker->driver()) ? tr("the GPU")
                                                             : tr("the software device");
            banners_->show(QStringLiteral("idle"), BannerStack::Kind::Warning,
                           tr("The worker of %1 ended while nothing ran").arg(device),
                           tr("It %1. Another one is started. The session is as it was, and the last results are kept.")
                               .arg(reason.isEmpty() ? tr("is gone") : reason));
        });
        connect(worker, &WorkerConnection::stateChanged, this,
                [this, worker](WorkerConnection::State state, const QString& reason) {
                    if (state == WorkerConnection::State::Dead)
                        showLoss(worker, reason);
                    else if (state == WorkerConnection::State::Ready)
                        banners_->close(QStringLiteral("lost"));
                });
    });
}

void MainWindow::showBuilt(bool ok) {
    const CompileOutput& output = document().compileOutput();
    if (ok)
        note(tr("Built in %1%2").arg(formatMs(output.ms), output.cached ? tr(" (cached)") : QString()), 5000);
    else
        showPanel<ProblemsPanel>();
    if (!ok) askCompilers(); // one that is missing is offered again
}

void MainWindow::showFailure(const QString& message, bool lost) {
    // A build that is lost together with a run is reported as the run's failure.
    const bool ofRun = runUnderWay_;
    if (!runner_->isRunning()) runUnderWay_ = false;
    runBanner_ = ofRun ? RunBanner::Stays : RunBanner::Build;
    if (const WorkerConnection* there = &workbench_.worker();
        there->isRemote() && there->link().state == MachineLink::State::Failed)
        return showUnreachable(*there, ofRun, lost);
    const QString title = lost ? ofRun ? tr("The worker ended during the run") : tr("The worker ended during the build")
                          : ofRun ? tr("The run did not start")
                                  : tr("The build did not start");
    const QString text = lost ? tr("It %1. Another one is started. The session and the last results are as they were.")
                                    .arg(message.isEmpty() ? tr("is gone") : message)
                              : message;
    const auto again = ofRun ? BannerStack::Button{tr("Run again"), [this] { run(); }}
                             : BannerStack::Button{tr("Build again"), [this] { runner_->build(); }};
    banners_->show(QStringLiteral("run"), BannerStack::Kind::Error, title, text, {again});
}

void MainWindow::closeOldNews() {
    const CompileOutput& output = document().compileOutput();
    if (!output.valid) return;
    // A worker builds again.
    if (runBanner_ == RunBanner::Build) {
        runBanner_ = RunBanner::Stays;
        banners_->close(QStringLiteral("run"));
    }
    // A compiler was installed meanwhile; PTX needs none.
    if (output.ok && !output.compiler.isEmpty() && banners_->isShown(QStringLiteral("compiler"))) {
        banners_->close(QStringLiteral("compiler"));
        askCompilers(); // which architectures it has
    }
}

void MainWindow::showLoss(WorkerConnection* worker, const QString& reason) {
    // A worker that starts again reports it itself. This is for one that cannot be started.
    QTimer::singleShot(300, this, [this, worker, reason] {
        if (worker->state() != WorkerConnection::State::Dead) return;
        if (worker->isRemote()) return; // the machine's state says it
        if (isGpu(worker->driver()) && worker != &workbench_.worker()) return;
        banners_->show(QStringLiteral("lost"), BannerStack::Kind::Error, tr("The worker cannot be started"), reason,
                       {{tr("Try again"), [worker] { worker->start(); }}});
    });
}

bool MainWindow::isRunning() const {
    return waiting_ || runner_->isRunning() || programs_->isRunning() || panel<TimingPanel>().sweep().usesDevice() ||
           panel<NotesPanel>().exercise().isRunning();
}

bool MainWindow::isBusy() const { return isRunning() || runner_->isBuilding() || programs_->isBuilding(); }

void MainWindow::showProgress(const QString& text, double fraction) {
    if (busy_) busy_->tell(text, fraction);
}

void MainWindow::showBusy() {
    const bool busy = isBusy();
    auto& sweep = panel<TimingPanel>().sweep();
    auto& exercise = panel<NotesPanel>().exercise();
    const QString other = tr("Something else runs.");
    const bool runs = waiting_ || runner_->isRunning() || programs_->isBusy();
    sweep.setBlocked(runs || exercise.isRunning() ? other : QString());
    exercise.setBlocked(runs || sweep.usesDevice() ? other : QString());
    if (!busy) {
        turn_.end();
        busy_.reset();
        banners_->close(QStringLiteral("connection")); // nothing waits for it any more
        lossTold_ = false;
    } else if (!busy_) {
        busy_ = workbench_.activities().begin(tr("Working"), [this] { stop(); }, Activities::Shown::AtOnce);
    }
    emit tabChanged();
    updateActions();
}

void MainWindow::build() {
    showEditor();
    if (document().isProgram())
        withProgramsAllowed([this] { programs_->build(); });
    else
        runner_->build();
}

void MainWindow::stop() {
    if (!isBusy()) return workbench_.activities().stopAll();
    if (std::exchange(waiting_, {})) {
        note(tr("Stopped waiting"), 5000);
        return showBusy();
    }
    if (panel<TimingPanel>().sweep().usesDevice())
        panel<TimingPanel>().sweep().stop();
    else if (panel<NotesPanel>().exercise().isRunning())
        panel<NotesPanel>().exercise().stop();
    else if (programs_->isBusy())
        programs_->stop();
    else
        runner_->stop();
}

void MainWindow::run() {
    if (isRunning() || document().mainSource()->text().trimmed().isEmpty()) return;
    if (workbench_.waitsForDevice()) {
        note(tr("Looking for a GPU"), 5000);
        connect(&workbench_, &Workbench::deviceKnown, this, &MainWindow::run,
                static_cast<Qt::ConnectionType>(Qt::UniqueConnection | Qt::SingleShotConnection));
        return;
    }
    showEditor();
    banners_->close(QStringLiteral("run"));
    runBanner_ = RunBanner::Stays;
    noteLabel_->clear();
    if (document().isProgram()) return withProgramsAllowed([this] { whenDeviceIsFree([this] { programs_->run(); }); });
    // Kernel and arguments follow the text: a run right after an edit is one of the edited kernel.
    if (runner_->areKernelsPending() && panel<LaunchPanel>().form().problem().isEmpty())
        return runner_->whenKernelsKnown([this] { run(); });
    // A known problem refuses the run before anything is sent.
    if (refuseLaunch()) return runner_->setRecordedWarp({});
    whenDeviceIsFree([this] { runner_->run(); });
}

void MainWindow::whenDeviceIsFree(const std::function<void()>& start) {
    const QString driver = workbench_.worker().driver();
    // All software devices of a machine are the same processors.
    const QString device = isGpu(driver) ? DeviceId{driver, workbench_.deviceOrdinal()}.text() : driver;
    waiting_ = start;
    if (turn_.ask(device, tabTitle())) return beginTurn();
    showBusy();
    showWaiting();
}

void MainWindow::beginTurn() {
    const auto start = std::exchange(waiting_, {});
    if (!start) return turn_.end();
    busy_.reset(); // its time begins now
    start();
    showBusy(); // it may have been refused
}

void MainWindow::showWaiting() {
    if (waiting_) showProgress(tr("Waiting for “%1”, which runs in another tab").arg(turn_.waitsFor()), -1);
}

bool MainWindow::refuseLaunch() {
    const QString problem = launchProblem();
    if (problem.isEmpty()) return false;
    runBanner_ = RunBanner::Refused;
    banners_->show(QStringLiteral("run"), BannerStack::Kind::Warning, tr("The launch cannot work as it is"), problem,
                   {{tr("Show launch"), [this] { showPanel<LaunchPanel>(); }}});
    if (panel<LaunchPanel>().problem().isEmpty())
        repeatBox_->setFocus();
    else
        showPanel<LaunchPanel>();
    return true;
}

QString MainWindow::launchProblem() const {
    const QString problem = panel<LaunchPanel>().problem();
    return problem.isEmpty() ? repeatsProblem() : problem;
}

QString MainWindow::inputOfRun() {
    return QString::fromStdString(session::to_text(document().session())) + document().mainSource()->text();
}

void MainWindow::checkRunBanner() {
    if (runBanner_ == RunBanner::Stays || runBanner_ == RunBanner::Build || runner_->isRunning()) return;
    if (runBanner_ == RunBanner::Refused && !launchProblem().isEmpty()) return;
    // A compilation also emits kernelsChanged, without a change of the input.
    if (runBanner_ == RunBanner::InputError && inputOfRun() == refusedInput_) return;
    runBanner_ = RunBanner::Stays;
    banners_->close(QStringLiteral("run"));
}

void MainWindow::showRunResult() {
    const session::Report& report = document().report();
    const auto again = BannerStack::Button{tr("Run again"), [this] { run(); }};
    runUnderWay_ = false;
    runBanner_ = RunBanner::Stays;
    switch (report.status) {
    case session::Status::ok: {
        QString text = tr("Ran %1").arg(QString::fromStdString(report.kernel));
        if (!report.times.kernel_ms.empty())
            text += tr(" in %1 (kernel)").arg(formatMs(session::statistics(report.times.kernel_ms).median));
        if (!report.comparisons.empty()) text += tr(", results as expected");
        note(text, 10000);
        if (report.output.empty())
            showPanel<BuffersPanel>();
        else
            showPanel<OutputPanel>();
        break;
    }
    case session::Status::expectation_failed: {
        QStringList lines;
        for (const session::Comparison& c : report.comparisons) {
            if (c.passed) continue;
            const QString name = QString::fromStdString(c.argument);
            lines << (c.problem.empty() ? tr("%1: %2 of %3 elements differ, the first at %4: %5 instead of %6")
                                              .arg(name, formatCount(static_cast<qint64>(c.mismatches)),
                                                   formatCount(static_cast<qint64>(c.elements)))
                                              .arg(c.first)
                                              .arg(c.first_actual)
                                              .arg(c.first_expected)
                                        : QStringLiteral("%1: %2").arg(name, QString::fromStdString(c.problem)));
        }
        banners_->show(QStringLiteral("run"), BannerStack::Kind::Warning, tr("It ran, but a result is not as expected"),
                       lines.join(QLatin1Char('\n')), {{tr("Show buffers"), [this] { showPanel<BuffersPanel>(); }}});
        showPanel<BuffersPanel>();
        break;
    }
    case session::Status::findings: {
        QStringList lines;
        for (const findings::Finding& finding : report.findings.all) {
            if (lines.size() == 3) {
                lines << tr("…");
                break;
            }
            const QString message = QString::fromStdString(finding.message);
            const QString file = QString::fromStdString(finding.place.file);
            lines << (file.isEmpty() ? message : tr("%1 line %2: %3").arg(file).arg(finding.place.line).arg(message));
        }
        const findings::Doubt doubt = session::doubt_of(report);
        if (doubt == findings::Doubt::left_out)
            lines << tr("The results are doubtful: accesses that were wrong were left out.");
        if (doubt == findings::Doubt::unordered)
            lines << tr("The results are doubtful: they may depend on which thread was first.");
        banners_->show(QStringLiteral("run"), BannerStack::Kind::Warning, tr("It ran, but its checks found mistakes"),
                       lines.join(QLatin1Char('\n')), {{tr("Show buffers"), [this] { showPanel<BuffersPanel>(); }}});
        showPanel<ProblemsPanel>();
        break;
    }
    case session::Status::compile_error:
        showPanel<ProblemsPanel>();
        if (report.compile.compiler.empty()) { // nothing was compiled
            note(tr("There is no compiler"), 5000);
            askCompilers(); // it is offered again
        } else
            note(tr("The source does not compile"), 5000);
        break;
    case session::Status::cancelled: note(tr("Cancelled"), 5000); break;
    case session::Status::input_error:
    case session::Status::limit_reached:
    case session::Status::device_error: {
        const QString title = session::failed_to_save(report) ? tr("It ran; a result could not be saved")
                              : report.status == session::Status::input_error ? tr("The session cannot be run as it is")
                              : report.launched                               ? tr("The kernel failed")
                                                                              : tr("The kernel did not run");
        QString text = report.error ? QString::fromStdString(report.error->message) : QString();
        if (report.error && !report.error->details.empty())
            text += QLatin1Char('\n') + // the rest is in Problems
                    QString::fromStdString(report.error->details).trimmed().section(QLatin1Char('\n'), 0, 1);
        if (report.error && !report.error->outside.empty()) { // the bar about these files says what to do
            refusedInput_ = inputOfRun();
            outsideShown_.clear();
            checkReach();
            break;
        }
        if (report.error && !report.error->replaces.empty()) {
            banners_->show(QStringLiteral("run"), BannerStack::Kind::Warning,
                           tr("A result would replace a file that this session has not written"),
                           QString::fromStdString(report.error->replaces.front()),
                           {{tr("Replace it"), [this] { whenDeviceIsFree([this] { runner_->run(true); }); }},
                            {tr("Keep it"), {}}});
            runBanner_ = RunBanner::InputError;
            refusedInput_ = inputOfRun();
            break;
        }
        banners_->show(QStringLiteral("run"), BannerStack::Kind::Error, title, text,
                       {{tr("Show problems"), [this] { showPanel<ProblemsPanel>(); }}, again});
        if (report.status == session::Status::input_error) {
            runBanner_ = RunBanner::InputError;
            refusedInput_ = inputOfRun();
        }
        showPanel<ProblemsPanel>();
        break;
    }
    }
}

} // namespace warplight::ui
