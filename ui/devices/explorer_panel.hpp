// SPDX-License-Identifier: GPL-3.0-or-later
/// Devices with their attributes and live memory, and the examples.
#pragma once

#include "ui/common/panel.hpp"

#include <QTimer>

class QLabel;
class QLineEdit;
class QListWidget;
class QSortFilterProxyModel;
class QTreeView;

namespace warplight::ui {

class DevicesModel;

class ExplorerPanel : public Panel {
    Q_OBJECT
public:
    explicit ExplorerPanel(Workbench& workbench, QWidget* parent = nullptr);

    DevicesModel& devicesModel() { return *model_; }

signals:
    /// The list of devices ("software:0", …) is known or changed.
    void devicesChanged();
    /// Free and total bytes of a device, as just measured.
    void memoryChanged(const QString& deviceId, quint64 free, quint64 total);
    void deviceChosen(const QString& deviceId);
    /// Open and run the example.
    void exampleRequested(const QString& document);

private:
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
};

} // namespace warplight::ui
