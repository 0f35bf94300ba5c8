// SPDX-License-Identifier: GPL-3.0-or-later
/// What a run is given: arguments, grid, block, shared memory, how often; and what occupancy that makes.
#pragma once

#include "ui/common/panel.hpp"

#include <QTimer>
#include <array>

class QCheckBox;
class QLabel;
class QProgressBar;
class QSpinBox;
class QTableView;
class QToolButton;

namespace warplight::ui {

class ArgumentsModel;

class LaunchPanel : public Panel {
    Q_OBJECT
public:
    explicit LaunchPanel(Workbench& workbench, QWidget* parent = nullptr);

    ArgumentsModel& argumentsModel() { return *arguments_; }
    QList<QAction*> panelActions() const override;
    /// Why a run would be refused before it starts, or empty.
    QString problem() const;

private:
    void build();
    void showSession();
    void editArgument(int row);
    void chooseFile(int row);
    void coverElements();
    void changeLaunch();
    void check();
    void askOccupancy();
    void restyle();
    int currentRow() const;

    ArgumentsModel* arguments_;
    QTableView* table_;
    std::array<QSpinBox*, 3> grid_{}, block_{};
    QSpinBox *shared_, *repeat_, *warmup_;
    QCheckBox* cooperative_;
    QToolButton* cover_;
    QLabel *threads_, *problem_, *occupancyText_;
    QProgressBar* occupancyBar_;
    QAction *edit_, *file_, *suggest_;
    QTimer occupancyTimer_;
    int suggestedBlock_ = 0;
    bool showing_ = false;
};

} // namespace warplight::ui
