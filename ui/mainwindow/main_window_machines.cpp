// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/device_id.hpp"
#include "ui/devices/devices_model.hpp"
#include "ui/devices/explorer_panel.hpp"
#include "ui/machines/install_dialog.hpp"
#include "ui/machines/machine_dialog.hpp"
#include "ui/mainwindow/banner.hpp"
#include "ui/mainwindow/main_window.hpp"
#include "ui/mainwindow/run_controller.hpp"
#include "ui/notes/exercise_box.hpp"
#include "ui/notes/notes_panel.hpp"
#include "ui/sweep/sweep_page.hpp"
#include "ui/timing/timing_panel.hpp"
#include "worker/run_request.hpp"

#include <QApplication>
#include <QInputDialog>
#include <QMessageBox>
#include <QPushButton>
#include <utility>

namespace warplight::ui {

void MainWindow::connectMachines() {
    auto& explorer = panel<ExplorerPanel>();
    connect(&explorer, &ExplorerPanel::addMachineRequested, this, &MainWindow::addMachine);
    connect(&explorer, &ExplorerPanel::removeMachineRequested, this, &MainWindow::removeMachine);
    connect(&explorer, &ExplorerPanel::renameMachineRequested, this, &MainWindow::renameMachine);
    connect(&explorer, &ExplorerPanel::installRequested, this, &MainWindow::installThere);
}

void MainWindow::chooseDevice(const QString& id) {
    if (isRemote(id)) {
        workbench_.selectRemoteDevice(id);
        // What the user chooses is meant to be used.
        if (WorkerConnection* worker = workbench_.worker(DeviceId::parse(id).driver)) {
            panel<ExplorerPanel>().connectMachine(machineOf(id));
            worker->start();
        }
    } else {
        workbench_.selectRemoteDevice({});
        document().modify(tr("Choose Device"), [&](session::Session& s) { s.device = id.toStdString(); });
    }
    updateDeviceBox();
    updateStatus();
}

worker::RunRequest MainWindow::requestThere() const {
    worker::RunRequest request = runner_->request();
    if (const DeviceId there = DeviceId::parse(workbench_.remoteDevice()); !there.driver.isEmpty())
        request.session.device = DeviceId{driverKind(there.driver), there.ordinal}.text().toStdString();
    return request;
}

void MainWindow::addMachine() {
    MachineDialog dialog(workbench_.machines(), workbench_.theme(), this);
    connect(&dialog, &MachineDialog::installRequested, this, &MainWindow::installThere);
    if (dialog.exec() != QDialog::Accepted) return;
    showPanel<ExplorerPanel>();
    panel<ExplorerPanel>().connectMachine(dialog.machine().address);
}

void MainWindow::removeMachine(const QString& address) {
    QMessageBox question(QMessageBox::Question, tr("Remove Machine"),
                         tr("Remove %1 from the list?").arg(workbench_.machines().title(address)), QMessageBox::Cancel,
                         this);
    question.setObjectName(QStringLiteral("removeMachine"));
    question.setInformativeText(tr("It is disconnected. What is installed and stored there stays; "
                                   "“warplight-cli remote clean” and “remote uninstall” remove it."));
    QPushButton* remove = question.addButton(tr("&Remove"), QMessageBox::DestructiveRole);
    question.setDefaultButton(QMessageBox::Cancel);
    question.exec();
    if (question.clickedButton() != static_cast<QAbstractButton*>(remove)) return;
    if (const QString why = workbench_.machines().remove(address); !why.isEmpty())
        fail(tr("The machine was not removed"), why);
    updateDeviceBox();
    updateStatus();
}

void MainWindow::renameMachine(const QString& address) {
    QInputDialog dialog(this);
    dialog.setObjectName(QStringLiteral("renameMachine"));
    dialog.setWindowTitle(tr("Rename Machine"));
    dialog.setLabelText(tr("Name of %1; without one it is called by its address:").arg(address));
    const QString before = workbench_.machines().title(address);
    dialog.setTextValue(before == address ? QString() : before);
    while (dialog.exec() == QDialog::Accepted) {
        const QString why = workbench_.machines().rename(address, dialog.textValue());
        if (why.isEmpty()) break;
        QMessageBox::warning(this, tr("Rename Machine"), why);
    }
    updateDeviceBox();
    updateStatus();
}

void MainWindow::installThere(const QString& address) {
    auto* dialog =
        new InstallDialog(address, QApplication::activeModalWidget() ? QApplication::activeModalWidget() : this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &InstallDialog::installed, this, [this, address] {
        // A worker of the version before may still be connected.
        if (workbench_.machines().contains(address)) panel<ExplorerPanel>().connectMachine(address);
    });
    dialog->open();
}

void MainWindow::showLink() {
    const QString key = QStringLiteral("connection");
    const bool isSweep = panel<TimingPanel>().sweep().usesDevice();
    const JobLink* job = isSweep                                      ? &panel<TimingPanel>().sweep().job().link()
                         : panel<NotesPanel>().exercise().isRunning() ? &panel<NotesPanel>().exercise().link()
                                                                      : nullptr;
    const MachineLink link = job ? job->link() : workbench_.worker().link();
    const QString address = job ? job->machine() : workbench_.worker().machine();
    const QString machine = workbench_.machines().title(address);
    if (link.state == MachineLink::State::Lost) {
        // Its seconds stand in the status bar, or in the panel. Who has pressed Stop knows.
        if (!isBusy() || std::exchange(lossTold_, true)) return;
        const QString text =
            job ? tr("What runs there goes on, and the next run begins when the connection is back. Warplight keeps "
                     "trying.")
                : tr("The run goes on there, and its results are taken when the connection is back. Warplight keeps "
                     "trying.");
        const QString end = isSweep ? tr("Stop the sweep") : job ? tr("Stop checking") : tr("Stop the run");
        banners_->show(key, BannerStack::Kind::Warning, tr("The connection to %1 is lost").arg(machine), text,
                       {{end, [this] { stop(); }}});
        return;
    }
    lossTold_ = false;
    if (banners_->isShown(key) && link.state == MachineLink::State::Connected)
        note(tr("Connected to %1 again").arg(machine), 8000);
    banners_->close(key);
    if (job && link.state == MachineLink::State::Failed)
        showUnreachable(tr("%1 cannot be reached").arg(machine), link.reason, address);
}

void MainWindow::showUnreachable(const WorkerConnection& worker, bool ofRun, bool lost) {
    const QString machine = workbench_.machines().title(worker.machine());
    const QString title =
        lost    ? ofRun ? tr("The run on %1 is lost").arg(machine) : tr("The build on %1 is lost").arg(machine)
           : ofRun ? tr("The run did not start: %1 cannot be reached").arg(machine)
                : tr("The build did not start: %1 cannot be reached").arg(machine);
    QString text = worker.link().reason;
    if (lost) text += QLatin1Char('\n') + tr("The session and the last results are as they were.");
    showUnreachable(title, text, worker.machine(), ofRun ? tr("Run again") : tr("Build again"), [this, ofRun] {
        if (ofRun)
            run();
        else
            runner_->build();
    });
}

void MainWindow::showUnreachable(const QString& title, const QString& text, const QString& address,
                                 const QString& again, const std::function<void()>& act) {
    QList<BannerStack::Button> buttons;
    if (!again.isEmpty()) buttons << BannerStack::Button{again, act};
    if (text.contains(QLatin1String("remote install")))
        buttons << BannerStack::Button{tr("Install there…"), [this, address] { installThere(address); }};
    banners_->show(QStringLiteral("run"), BannerStack::Kind::Error, title, text, buttons);
}

} // namespace warplight::ui
