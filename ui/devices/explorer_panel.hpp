// SPDX-License-Identifier: GPL-3.0-or-later
/// Devices with their attributes and live memory, and the examples.
#pragma once

#include "ui/common/panel.hpp"

#include <QTimer>

class QLabel;
class QLineEdit;
class QListWidget;
class QMenu;
class QSortFilterProxyModel;
class QTreeView;

namespace warplight::ui {

class DevicesModel;

class ExplorerPanel : public Panel {
    Q_OBJECT
public:
    explicit ExplorerPanel(Workbench& workbench, QWidget* parent = nullptr);

    DevicesModel& devicesModel() { return *model_; }

    /// Connects to a machine of the list, if it is not connected: its devices become known.
    void connectMachine(const QString& address);
    void disconnectMachine(const QString& address);
    /// The actions of a machine, as its context menu has them. The menu owns itself.
    QMenu* machineMenu(const QString& address);

signals:
    /// The list of devices ("software:0", …) is known or changed.
    void devicesChanged();
    /// Free and total bytes of a device, as just measured.
    void memoryChanged(const QString& deviceId, quint64 free, quint64 total);
    void deviceChosen(const QString& deviceId);
    void addMachineRequested();
    void removeMachineRequested(const QString& address);
    void renameMachineRequested(const QString& address);
    /// Install Warplight on that machine.
    void installRequested(const QString& address);
    /// Open and run the example.
    void exampleRequested(const QString& document);

private:
    // explorer_machines.cpp
    void connectMachines();
    void listMachines();
    /// Takes what a worker of another machine has answered to `devices`.
    void takeRemote(WorkerConnection* worker, const WorkerReply& reply);
    void showMachine(const QString& address);
    void showMenu(const QPoint& at);
    /// The worker whose connection is shown for its machine; null: none was made.
    WorkerConnection* shownWorker(const QString& address);
    /// Expands a row without taking it for the user's wish to connect.
    void expand(const QModelIndex& ofModel);

    void ask(WorkerConnection* worker);
    void askMemory();
    /// Shows the meaning of the current attribute while the attribute is visible.
    void showMeaning();

    DevicesModel* model_;
    QSortFilterProxyModel* filtered_;
    QTreeView* tree_;
    QLineEdit* filter_;
    QLabel* meaning_;
    QListWidget* examples_;
    QTimer memoryTimer_;
    bool expanding_ = false; ///< by the panel itself
};

} // namespace warplight::ui
