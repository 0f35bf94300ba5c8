// SPDX-License-Identifier: GPL-3.0-or-later
/// Event timings of the runs: the repeats of one run drawn one by one and as a histogram, their statistics,
/// and the runs of the window, any two of which can be compared. Other pages have the history of all windows, and
/// sweeps.
#pragma once

#include "ui/common/panel.hpp"

#include <vector>

class QCustomPlot;
class QComboBox;
class QLabel;
class QStackedWidget;
class QTabWidget;
class QTableView;

namespace warplight::ui {

class HistoryPage;
class LaunchesModel;
class RunsModel;
class StepsTable;
class SweepPage;

class TimingPanel : public Panel {
    Q_OBJECT
public:
    explicit TimingPanel(Workbench& workbench, QWidget* parent = nullptr);

    RunsModel& model() { return *model_; }
    HistoryPage& history() const { return *history_; }
    LaunchesModel& launches() { return *launches_; } ///< of the selected run, where it is a program's
    StepsTable* steps() const { return steps_; }     ///< of the selected run, where it is a pipeline's
    SweepPage& sweep() { return *sweep_; }
    QTabWidget* pages() const { return pages_; }
    /// Brings the page of sweeps to the front of the panel.
    void showSweep();
    /// Writes a line for each repeat of each run. False and `problem` set when the file cannot be written.
    bool exportCsv(const QString& path, QString* problem) const;

signals:
    /// A session of a launch of the program that the selected run is of.
    /// @param numbers which launches of the kernel it can be, from 1
    void sessionOfLaunchRequested(const QString& kernel, const std::vector<quint64>& numbers);

private:
    enum class Phase { Kernel, HostToDevice, DeviceToHost };
    void refresh();
    void restyle();
    void drawRepeats();
    void drawHistogram();
    void showStatistics();
    void showProgram(const RunRecord& run);
    void makeLaunchTable();
    const std::vector<double>& series(const RunRecord& run) const;
    int selectedRow() const;
    int baselineRow() const;

    class RunsPage;

    QTabWidget* pages_;
    RunsPage* runs_;
    HistoryPage* history_;
    SweepPage* sweep_;
    RunsModel* model_;
    LaunchesModel* launches_;
    QTableView *table_, *launchTable_;
    QStackedWidget* details_; ///< of a kernel's run the plots, of a program's its launches
    QComboBox *phase_, *baseline_;
    QCustomPlot *repeats_, *histogram_;
    StepsTable* steps_;
    QLabel* statistics_;
    QAction *export_, *clear_;
    bool stale_ = false;
};

} // namespace warplight::ui
