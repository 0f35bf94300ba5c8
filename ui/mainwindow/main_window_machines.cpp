// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/device_id.hpp"
#include "ui/devices/devices_model.hpp"
#include "ui/devices/explorer_panel.hpp"
#include "ui/machines/install_dialog.hpp"
#include "ui/machines/machine_dialog.hpp"
#include "ui/mainwindow/banner.hpp"
#include "ui/mainwindow/main_window.hpp"
#include "ui/mainwindow/run_controller.hpp"
#include "worker/run_request.hpp"

#include <QApplication>
#include <QMessageBox>
#include <QPushButton>

namespace warplight::ui {

void MainWindow::connectMachines() {
    auto& explorer = panel<ExplorerPanel>();
    connect(&explorer, &ExplorerPanel::addMachineRequested, this, &MainWindow::addMachine);
    connect(&explorer, &ExplorerPanel::removeMachineRequested, this, &MainWindow::removeMachine);
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

void MainWindow::showLink(WorkerConnection* worker) {
    const QString key = QStringLiteral("connection");
    const MachineLink link = worker->link();
    const QString machine = workbench_.machines().title(worker->machine());
    if (worker == &workbench_.worker() && link.state == MachineLink::State::Lost && isBusy()) {
        if (link.lostMs > 0 && banners_->isShown(key)) return; // its seconds stand in the status bar
        banners_->show(
            key, BannerStack::Kind::Warning, tr("The connection to %1 is lost").arg(machine),
            tr("The run goes on there, and its results are taken when the connection is back. Warplight keeps "
               "trying."),
            {{tr("Stop the run"), [this] { stop(); }}});
        return;
    }
    if (link.state == MachineLink::State::Lost || worker != &workbench_.worker()) return;
    if (banners_->isShown(key) && link.state == MachineLink::State::Connected)
        note(tr("Connected to %1 again").arg(machine), 8000);
    banners_->close(key);
}

void MainWindow::showUnreachable(const WorkerConnection& worker, bool ofRun, bool lost) {
    const QString machine = workbench_.machines().title(worker.machine());
    const QString title =
        lost    ? ofRun ? tr("The run on %1 is lost").arg(machine) : tr("The build on %1 is lost").arg(machine)
           : ofRun ? tr("The run did not start: %1 cannot be reached").arg(machine)
                : tr("The build did not start: %1 cannot be reached").arg(machine);
    QString text = worker.link().reason;
    if (lost) text += QLatin1Char('\n') + tr("The session and the last results are as they were.");
    QList<BannerStack::Button> buttons{ofRun ? BannerStack::Button{tr("Run again"), [this] { run(); }}
                                             : BannerStack::Button{tr("Build again"), [this] { runner_->build(); }}};
    if (worker.link().reason.contains(QLatin1String("remote install")))
        buttons << BannerStack::Button{tr("Install there…"),
                                       [this, address = worker.machine()] { installThere(address); }};
    banners_->show(QStringLiteral("run"), BannerStack::Kind::Error, title, text, buttons);
}

} // namespace warplight::ui
