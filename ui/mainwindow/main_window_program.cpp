// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/agreements.hpp"
#include "ui/common/format.hpp"
#include "ui/mainwindow/banner.hpp"
#include "ui/mainwindow/main_window.hpp"
#include "ui/output/output_panel.hpp"
#include "ui/problems/problems_panel.hpp"
#include "ui/program/launch_session_dialog.hpp"
#include "ui/program/program_runner.hpp"
#include "ui/timing/timing_panel.hpp"

#include <QDir>
#include <QLabel>
#include <set>

namespace warplight::ui {
namespace {

/// "12 launches of 2 kernels took 3.20 ms; the program 120 ms. Copies: 2 to devices, 16 B. Memory: 8 B at most."
QString summaryOf(const ProgramRun& run) {
    std::set<std::string> kernels;
    double ms = 0;
    for (const launch_log::Launch& launch : run.launches) {
        kernels.insert(launch.kernel);
        ms += launch.ms.value_or(0);
    }
    const auto kernelCount = static_cast<qint64>(kernels.size());
    QString text =
        run.launchCount == 0 ? MainWindow::tr("no kernel was launched; the program took %1.").arg(formatMs(run.ms))
        : run.launches.empty()
            ? MainWindow::tr("no launch ended; the program took %1.").arg(formatMs(run.ms))
            : MainWindow::tr("%1 of %2 took %3, the program %4.")
                  .arg(run.launchCount == 1
                           ? MainWindow::tr("one launch")
                           : MainWindow::tr("%1 launches").arg(formatCount(static_cast<qint64>(run.launchCount))),
                       kernelCount == 1 ? MainWindow::tr("one kernel")
                                        : MainWindow::tr("%1 kernels").arg(formatCount(kernelCount)),
                       formatMs(ms), formatMs(run.ms));
    if (run.launchCount - run.unfinished > run.launches.size())
        text +=
            MainWindow::tr(" The table has the first %1.").arg(formatCount(static_cast<qint64>(run.launches.size())));
    if (run.unfinished > 0)
        text += run.unfinished == 1 ? MainWindow::tr(" One launch had not ended when the program did.")
                                    : MainWindow::tr(" %1 launches had not ended when the program did.")
                                          .arg(formatCount(static_cast<qint64>(run.unfinished)));
    QStringList copies;
    for (const launch_log::Copies& each : run.copies)
        copies << MainWindow::tr("%1 %2, %3")
                      .arg(formatCount(static_cast<qint64>(each.count)), QString::fromStdString(each.direction),
                           formatBytes(each.bytes));
    if (!copies.isEmpty()) text += MainWindow::tr(" Copies: %1.").arg(copies.join(QLatin1String("; ")));
    for (const launch_log::Memory& each : run.memory)
        text += run.memory.size() == 1
                    ? MainWindow::tr(" Memory: %1 at most.").arg(formatBytes(each.bytes))
                    : MainWindow::tr(" Memory of device %1: %2 at most.").arg(each.device).arg(formatBytes(each.bytes));
    return text;
}

QString signalName(int signal) {
    switch (signal) {
    case 4: return MainWindow::tr("illegal instruction");
    case 6: return MainWindow::tr("abort() was called, or an assertion failed");
    case 7:
    case 11: return MainWindow::tr("it used memory that is not its own");
    case 8: return MainWindow::tr("arithmetic error, such as a division by zero");
    case 9: return MainWindow::tr("it was killed, which the system does where memory is short");
    case 15: return MainWindow::tr("it was asked to end");
    default: return MainWindow::tr("signal %1").arg(signal);
    }
}

session::Report reportOf(const ProgramRun& run, int ordinal) {
    session::Report report;
    report.kernel = run.name.toStdString();
    report.device.driver = run.driver.toStdString();
    report.device.ordinal = ordinal;
    report.wall_ms = run.ms;
    report.launched = run.launchCount > 0;
    for (const launch_log::Launch& launch : run.launches)
        if (launch.ms) report.times.kernel_ms.push_back(*launch.ms);
    if (!run.faults.empty()) {
        session::ReportError error;
        error.kind = "device";
        error.message = run.faults.front().section(QLatin1Char('\n'), 0, 0).toStdString();
        error.details = run.faults.front().section(QLatin1Char('\n'), 1).toStdString();
        report.status = session::Status::device_error;
        report.error = error;
    } else if (run.signal != 0) {
        session::ReportError error;
        error.kind = "program";
        error.message = MainWindow::tr("%1 crashed: %2").arg(run.name, signalName(run.signal)).toStdString();
        report.status = session::Status::device_error;
        report.error = error;
    }
    return report;
}

} // namespace

void MainWindow::connectProgram() {
    OutputPanel& output = panel<OutputPanel>();
    connect(programs_, &ProgramRunner::busyChanged, this, [this] {
        showBusy();
        panel<OutputPanel>().setTakesInput(programs_->takesInput());
    });
    connect(programs_, &ProgramRunner::progressed, this, [this](const QString& text) { showProgress(text, -1); });
    connect(&panel<TimingPanel>(), &TimingPanel::sessionOfLaunchRequested, this, &MainWindow::makeSessionOfLaunch);
    connect(programs_, &ProgramRunner::output, &output, &OutputPanel::appendOfProgram);
    connect(&output, &OutputPanel::inputEntered, programs_, &ProgramRunner::write);
    connect(&output, &OutputPanel::inputEnded, programs_, &ProgramRunner::endInput);
    connect(programs_, &ProgramRunner::built, this, &MainWindow::showBuilt);
    connect(programs_, &ProgramRunner::runStarted, this, [this] {
        programText_ = document().mainSource()->text();
        panel<OutputPanel>().log().finish();
        showPanel<OutputPanel>();
    });
    connect(programs_, &ProgramRunner::runFinished, this, &MainWindow::showProgramResult);
    connect(programs_, &ProgramRunner::nvccMissing, this, [this] {
        note(tr("There is no nvcc"), 5000);
        askCompilers(); // it is offered
    });
    connect(programs_, &ProgramRunner::failed, this, [this](const QString& message) {
        banners_->show(QStringLiteral("run"), BannerStack::Kind::Error, tr("The program did not start"), message,
                       {{tr("Try again"), [this] { run(); }}});
    });
}

void MainWindow::makeSessionOfLaunch(const QString& kernel, const std::vector<quint64>& numbers) {
    const SourceFile* source = document().mainSource();
    if (!document().isProgram() || !source) return;
    const QString key = QStringLiteral("sessionOfLaunch");
    if (source->path().isEmpty() || source->isModified()) {
        banners_->show(key, BannerStack::Kind::Info, tr("The source is not saved"),
                       tr("The session gets the source as it is in its file."), {{tr("Save"), [this] { save(); }}});
        return;
    }
    if (programs_->program().isEmpty()) {
        banners_->show(key, BannerStack::Kind::Info, tr("The program has changed since this run"),
                       tr("Run it again, and choose the launch in its new run."), {{tr("Run"), [this] { run(); }}});
        return;
    }
    const session::Session& s = document().session();
    ProgramLaunches launches{source->path(),
                             programs_->program(),
                             programs_->workingFolder(),
                             {},
                             {},
                             !programs_->inputFile().isEmpty(),
                             kernel,
                             numbers};
    for (const std::string& each : s.program->arguments)
        launches.arguments << QString::fromStdString(each);
    for (const std::string& each : s.compile.options)
        launches.options << QString::fromStdString(each);
    withProgramsAllowed([this, launches] {
        LaunchSessionDialog dialog(launches, this);
        if (dialog.exec() != QDialog::Accepted) return;
        openFile(dialog.session(), [this, notes = dialog.notes()](const MainWindow* page) {
            if (page && !notes.isEmpty())
                banners_->show(QStringLiteral("sessionOfLaunch"), BannerStack::Kind::Info,
                               tr("A session of the launch"), notes.join(QLatin1Char('\n')), {});
        });
    });
}

void MainWindow::withProgramsAllowed(const std::function<void()>& then) {
    const QString folder = document().folder();
    // A program that was typed here and lies nowhere yet is the user's own.
    const bool own = document().path().isEmpty() && document().mainSource()->path().isEmpty();
    if (own || programsMayRun(folder)) return then();
    banners_->show(QStringLiteral("run"), BannerStack::Kind::Warning, tr("This program may do whatever you may do"),
                   tr("Kernels of a session are confined; a program with main() is not, and what its compile options "
                      "start neither. Build and run programs of %1 only if you know where they come from.")
                       .arg(QDir::toNativeSeparators(folder)),
                   {{tr("Allow programs of this folder"),
                     [folder, then] {
                         letProgramsRun(folder);
                         then();
                     }},
                    {tr("Don't allow"), {}}});
}

void MainWindow::showProgramResult(const ProgramRun& run) {
    OutputPanel& output = panel<OutputPanel>();
    output.log().finish();
    if (run.stopped) {
        banners_->show(QStringLiteral("run"), BannerStack::Kind::Info, tr("Stopped"),
                       tr("The program was ended after %1.").arg(formatMs(run.ms)),
                       {{tr("Run again"), [this] { this->run(); }}});
        return;
    }
    const bool failed = !run.faults.empty() || run.signal != 0 || run.exitCode != 0;
    const QString how = run.signal != 0 ? tr("%1 crashed: %2").arg(run.name, signalName(run.signal))
                                        : tr("%1 ended with exit code %2").arg(run.name).arg(run.exitCode);
    output.log().append(failed ? OutputLine::Failure : OutputLine::Build,
                        tr("%1 after %2").arg(how, formatMs(run.ms)) + QLatin1Char('\n'));
    session::Report report = reportOf(run, workbench_.deviceOrdinal());
    report.session = document().path().toStdString();
    workbench_.history().keep(document().session(), programText_.toStdString(), report);
    document().addProgramRun(std::move(report), {run.launches, summaryOf(run)});
    const auto again = BannerStack::Button{tr("Run again"), [this] { this->run(); }};
    const auto problems = BannerStack::Button{tr("Show problems"), [this] { showPanel<ProblemsPanel>(); }};
    if (!run.faults.empty()) {
        banners_->show(QStringLiteral("run"), BannerStack::Kind::Error, tr("A kernel of the program failed"),
                       run.faults.front().section(QLatin1Char('\n'), 0, 2), {problems, again});
        showPanel<ProblemsPanel>();
    } else if (run.signal != 0) {
        banners_->show(QStringLiteral("run"), BannerStack::Kind::Error, tr("The program crashed"), how, {again});
    } else if (run.exitCode != 0) {
        banners_->show(QStringLiteral("run"), BannerStack::Kind::Warning, how, tr("Its own messages are in Output."),
                       {{tr("Show output"), [this] { showPanel<OutputPanel>(); }}, again});
    } else {
        note(tr("Ran %1 in %2").arg(run.name, formatMs(run.ms)), 10000);
    }
}

} // namespace warplight::ui
