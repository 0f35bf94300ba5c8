// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/device_id.hpp"
#include "ui/common/icons.hpp"
#include "ui/devices/devices_model.hpp"
#include "ui/devices/explorer_panel.hpp"

#include <QAction>
#include <QMenu>
#include <QScopedValueRollback>
#include <QSortFilterProxyModel>
#include <QTreeView>
#include <algorithm>
#include <iterator>
#include <memory>

namespace warplight::ui {
namespace {

using State = MachineLink::State;

/// The connection of a machine is that of its worker whose state says most.
int weightOf(State state) {
    switch (state) {
    case State::Lost: return 4;
    case State::Connecting: return 3;
    case State::Connected: return 2;
    case State::Failed: return 1;
    case State::Off: break;
    }
    return 0;
}

} // namespace

void ExplorerPanel::connectMachines() {
    tree_->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(tree_, &QWidget::customContextMenuRequested, this, &ExplorerPanel::showMenu);
    connect(tree_, &QTreeView::expanded, this, [this](const QModelIndex& index) {
        if (!expanding_ && index.data(DevicesModel::KindRole).toInt() == DevicesModel::MachineKind)
            connectMachine(index.data(DevicesModel::MachineRole).toString());
    });
    connect(&workbench().machines(), &Machines::changed, this, &ExplorerPanel::listMachines);
    listMachines();
}

void ExplorerPanel::listMachines() {
    for (const QString& address : model_->machines())
        if (!workbench().machines().contains(address)) model_->removeMachine(address);
    for (const Machine& machine : workbench().machines().all())
        showMachine(machine.address);
    emit devicesChanged();
}

WorkerConnection* ExplorerPanel::shownWorker(const QString& address) {
    WorkerConnection* shown = nullptr;
    for (WorkerConnection* worker : workbench().workers())
        if (worker->machine() == address && (!shown || weightOf(worker->link().state) > weightOf(shown->link().state)))
            shown = worker;
    return shown;
}

void ExplorerPanel::showMachine(const QString& address) {
    if (!workbench().machines().contains(address)) return;
    const WorkerConnection* worker = shownWorker(address);
    const MachineLink link = worker ? worker->link() : MachineLink{};
    MachineState row;
    row.label = workbench().machines().title(address);
    row.noteIcon = QStringLiteral("info");
    bool keepsDevices = true;
    switch (link.state) {
    case State::Off:
        row.note = tr("Not connected. A double click here connects.");
        keepsDevices = false;
        break;
    case State::Connecting:
        row.state = tr("connecting");
        row.note = tr("Connecting…");
        row.noteIcon = QStringLiteral("refresh");
        break;
    case State::Connected:
        row.state = worker->state() == WorkerConnection::State::Busy ? tr("working") : tr("ready");
        if (model_->devicesOf(address).empty()) row.note = tr("Looking for devices…");
        break;
    case State::Lost:
        row.state = tr("lost");
        row.bad = true;
        row.note = tr("Connection lost %1 s ago. Trying again.").arg(link.lostMs / 1000);
        row.noteIcon = QStringLiteral("warning");
        break;
    case State::Failed:
        row.state = tr("failed");
        row.bad = true;
        row.note = link.reason;
        row.noteIcon = QStringLiteral("error");
        keepsDevices = false;
        break;
    }
    model_->setMachine(address, row);
    if (!keepsDevices && !model_->devicesOf(address).empty()) {
        model_->setMachineDevices(address, {});
        emit devicesChanged();
    }
}

void ExplorerPanel::connectMachine(const QString& address) {
    WorkerConnection* gpu = workbench().worker(driverOn(address, QStringLiteral("cuda")));
    if (!gpu) return;
    const WorkerConnection* shown = shownWorker(address);
    const bool there = shown && (shown->link().state == State::Connected || shown->link().state == State::Lost ||
                                 shown->link().state == State::Connecting);
    if (!there) gpu->start();
    expand(model_->machineIndex(address));
}

void ExplorerPanel::disconnectMachine(const QString& address) {
    for (WorkerConnection* worker : workbench().workers())
        if (worker->machine() == address) worker->disconnectMachine();
}

void ExplorerPanel::takeRemote(WorkerConnection* worker, const WorkerReply& reply) {
    const QString address = worker->machine(), driver = worker->driver();
    if (!reply.ok || !worker->isAtHand()) return; // the connection's state says why
    std::vector<DeviceInfo> answered;
    if (reply.result.value("available", true)) answered = devicesFromJson(reply.result);
    for (DeviceInfo& device : answered)
        device.id = driver + QLatin1Char(':') + device.id;
    WorkerConnection* software = workbench().worker(driverOn(address, QStringLiteral("software")));
    if (!software) return;
    if (isGpu(driver) && answered.empty() && worker != &workbench().worker()) {
        // The machine has no GPU: its processors are what it offers.
        software->start();
        worker->disconnectMachine();
        return;
    }
    std::vector<DeviceInfo> devices = model_->devicesOf(address);
    const auto ofDriver = [&driver](const DeviceInfo& device) { return DeviceId::parse(device.id).driver == driver; };
    devices.erase(std::remove_if(devices.begin(), devices.end(), ofDriver), devices.end());
    const auto at = isGpu(driver) ? devices.begin() : devices.end();
    devices.insert(at, std::make_move_iterator(answered.begin()), std::make_move_iterator(answered.end()));
    const QString software0 = DeviceId{software->driver(), 0}.text();
    if (std::ranges::find(devices, software0, &DeviceInfo::id) == devices.end()) {
        DeviceInfo unasked;
        unasked.id = software0;
        unasked.name = tr("Software device");
        unasked.asked = false;
        devices.push_back(std::move(unasked));
    }
    model_->setMachineDevices(address, std::move(devices));
    showMachine(address);
    expand(model_->machineIndex(address));
    showMeaning();
    emit devicesChanged();
    askMemory();
}

void ExplorerPanel::expand(const QModelIndex& ofModel) {
    const QScopedValueRollback mine(expanding_, true);
    tree_->expand(filtered_->mapFromSource(ofModel));
}

QMenu* ExplorerPanel::machineMenu(const QString& address) {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const WorkerConnection* worker = shownWorker(address);
    const State state = worker ? worker->link().state : State::Off;
    const bool linked = state == State::Connected || state == State::Lost || state == State::Connecting;
    const auto add = [menu, this](const char* name, const QString& iconName, const QString& text, const auto& call) {
        QAction* action = menu->addAction(iconName.isEmpty() ? QIcon() : icon(iconName), text);
        action->setObjectName(QLatin1String(name));
        connect(action, &QAction::triggered, this, call);
        return action;
    };
    if (linked)
        add("reconnect", QStringLiteral("refresh"), tr("&Reconnect"), [this, address] {
            disconnectMachine(address);
            WorkerConnection* shown = shownWorker(address);
            if (!shown || shown->state() == WorkerConnection::State::Stopped) return connectMachine(address);
            // What is there has to end first. It may tell of other states before, such as the end of a run.
            auto waits = std::make_shared<QMetaObject::Connection>();
            *waits = connect(
                shown, &WorkerConnection::stateChanged, this, [this, address, waits](WorkerConnection::State now) {
                    if (now != WorkerConnection::State::Stopped) return;
                    disconnect(*waits);
                    QMetaObject::invokeMethod(this, [this, address] { connectMachine(address); }, Qt::QueuedConnection);
                });
        });
    else
        add("connect", QStringLiteral("link"), tr("&Connect"), [this, address] { connectMachine(address); });
    add("disconnect", QStringLiteral("cancel"), tr("&Disconnect"), [this, address] {
        disconnectMachine(address);
    })->setEnabled(linked);
    menu->addSeparator();
    add("install", QStringLiteral("save"), tr("&Install Warplight There…"),
        [this, address] { emit installRequested(address); });
    add("rename", QStringLiteral("edit"), tr("Re&name…"), [this, address] { emit renameMachineRequested(address); });
    add("remove", QStringLiteral("minus"), tr("Re&move"), [this, address] { emit removeMachineRequested(address); });
    menu->addSeparator();
    add("add", QStringLiteral("plus"), tr("&Add Machine…"), [this] { emit addMachineRequested(); });
    return menu;
}

void ExplorerPanel::showMenu(const QPoint& at) {
    QModelIndex index = tree_->indexAt(at);
    if (!index.isValid()) index = tree_->currentIndex();
    const QString machine = index.data(DevicesModel::MachineRole).toString();
    const QString device = index.data(DevicesModel::DeviceIdRole).toString();
    QMenu* menu = nullptr;
    if (device.isEmpty() && !machine.isEmpty()) {
        menu = machineMenu(machine);
    } else {
        menu = new QMenu(this);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        if (!device.isEmpty())
            connect(menu->addAction(icon(QStringLiteral("device")), tr("&Use This Device")), &QAction::triggered, this,
                    [this, device] { emit deviceChosen(device); });
        connect(menu->addAction(icon(QStringLiteral("plus")), tr("&Add Machine…")), &QAction::triggered, this,
                &ExplorerPanel::addMachineRequested);
    }
    menu->popup(tree_->viewport()->mapToGlobal(at));
}

} // namespace warplight::ui
