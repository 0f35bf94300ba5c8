// SPDX-License-Identifier: GPL-3.0-or-later
/// The costs of a launch: attributes of the kernel, its occupancy, and the ptxas report.
#pragma once

#include "ui/common/panel.hpp"

class QPushButton;
class QTreeView;

namespace warplight::ui {

class AttributesModel;

class FunctionPanel : public Panel {
    Q_OBJECT
public:
    explicit FunctionPanel(Workbench& workbench, QWidget* parent = nullptr);

    AttributesModel& model() { return *model_; }
    QPushButton* registersButton() const { return registers_; }

private:
    void refresh();
    void fitNames();
    void copySelected();

    AttributesModel* model_;
    QTreeView* view_;
    QPushButton* registers_;
    QAction* copy_;
};

} // namespace warplight::ui
