// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/launch/launch_form.hpp"
#include "ui/launch/launch_panel.hpp"
#include "ui/mainwindow/banner.hpp"
#include "ui/mainwindow/main_window.hpp"
#include "ui/mainwindow/run_controller.hpp"
#include "ui/program/program_runner.hpp"
#include "ui/sweep/sweep_page.hpp"
#include "ui/timing/timing_panel.hpp"
#include "worker/run_request.hpp"

#include <QPushButton>

namespace warplight::ui {

void MainWindow::connectSweep() {
    SweepPage& sweep = panel<TimingPanel>().sweep();
    connect(&sweep, &SweepPage::startRequested, this, &MainWindow::startSweep);
    connect(&sweep, &SweepPage::proposalRequested, this, &MainWindow::compareBlocks);
    connect(&panel<LaunchPanel>().form(), &LaunchForm::compareRequested, this, &MainWindow::compareBlocks);
    connect(&sweep, &SweepPage::busyChanged, this, &MainWindow::showBusy);
    connect(&sweep, &SweepPage::progressed, this, &MainWindow::showProgress);
    connect(&sweep.job().link(), &JobLink::changed, this, &MainWindow::showLink);
}

void MainWindow::showSweep() {
    showEditor();
    showPanel<TimingPanel>();
    panel<TimingPanel>().showSweep();
}

void MainWindow::compareBlocks() {
    showSweep();
    // The block follows the kernel of the text.
    if (runner_->areKernelsPending()) return runner_->whenKernelsKnown([this] { compareBlocks(); });
    SweepPage& sweep = panel<TimingPanel>().sweep();
    sweep.proposeBlocks(panel<LaunchPanel>().form().limits());
    sweep.startButton()->setFocus();
}

void MainWindow::startSweep() {
    const bool here = !panel<TimingPanel>().sweep().startsOnSlurm();
    if (here && isRunning()) return;
    if (runner_->areKernelsPending()) return runner_->whenKernelsKnown([this] { startSweep(); });
    // A number of the launch may be wrong where the sweep gives another one. Arguments concern every point.
    if (panel<LaunchPanel>().form().problem().isEmpty() && refuseLaunch()) return;
    SweepPage& sweep = panel<TimingPanel>().sweep();
    if (!sweep.problem().isEmpty()) return;
    if (!here) return sweep.startOnSlurm(runner_->request());
    banners_->close(QStringLiteral("run"));
    runBanner_ = RunBanner::Stays;
    whenDeviceIsFree([this] { panel<TimingPanel>().sweep().start(requestThere(), workbench_.worker().machine()); });
}

} // namespace warplight::ui
