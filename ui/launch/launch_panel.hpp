// SPDX-License-Identifier: GPL-3.0-or-later
/// The inputs of a run (arguments, grid, block, shared memory, repeats) and the occupancy of its launch.
#pragma once

#include "ui/common/panel.hpp"

#include <QMenu>
#include <QTimer>

class QComboBox;
class QLabel;
class QProgressBar;
class QStackedWidget;
class QTableView;
class QToolButton;

namespace warplight::worker {
struct OccupancyReply;
}

namespace warplight::ui {

class ArgumentsModel;
class FileHeads;
class LaunchForm;
class PipelinePage;
class ProgramPage;

class LaunchPanel : public Panel {
    Q_OBJECT
public:
    explicit LaunchPanel(Workbench& workbench, QWidget* parent = nullptr);

    ArgumentsModel& argumentsModel() { return *arguments_; }
    LaunchForm& form() { return *form_; }
    PipelinePage& pipelinePage() { return *pipeline_; }
    QComboBox* modeBox() const { return mode_; } ///< one launch, or several steps
    ProgramPage& programPage() { return *program_; }
    QList<QAction*> panelActions() const override;
    /// Opens the dialog of the session's compile options.
    QAction* compileOptionsAction() const { return options_; }
    /// Why a run would be refused before it starts, or empty.
    QString problem() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void build();
    void buildTable();
    void fitTable();
    void showSession();
    void editArgument(int row);
    /// An argument for which the kernel has no parameter, or a variable.
    bool isExcess(int row) const;
    void removeExcess(int row);
    /// In place, or says why the name cannot be changed here.
    void renameArgument(int row);
    QWidget* buildModeBar();
    void changeMode(bool steps);
    void addArgument(bool array);
    void listVariables();
    void addVariable(const compiler::Variable& variable);
    void editOptions();
    void chooseFile(int row);
    void coverElements();
    void useSuggestedBlock();
    void check();
    void askLimits();
    void askOccupancy();
    void showOccupancy(const worker::OccupancyReply& answer);
    void showNoOccupancy(const QString& why, const QString& details = {});
    void restyle();
    int currentRow() const;

    ArgumentsModel* arguments_;
    FileHeads* files_;
    QTableView* table_;
    LaunchForm* form_;
    PipelinePage* pipeline_; ///< in the form's place, where there are several steps
    QComboBox* mode_;
    QToolButton* addArgument_;
    QAction *addArray_, *addScalar_;
    QStackedWidget* kinds_; ///< the launch of a kernel, or a program
    ProgramPage* program_;
    QLabel *optionsText_, *problem_, *occupancyText_;
    QProgressBar* occupancyBar_;
    QAction *edit_, *rename_, *file_, *variable_, *remove_, *suggest_, *options_;
    QMenu variables_; ///< to add
    QTimer occupancyTimer_;
    int suggestedBlock_ = 0;
};

} // namespace warplight::ui
