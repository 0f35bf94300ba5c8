// SPDX-License-Identifier: GPL-3.0-or-later
/// Two runs side by side, in a window of its own: what they were, what came out, their sources, PTX and reports.
#pragma once

#include "history/run_difference.hpp"
#include "ui/history/present_state.hpp"

#include <QWidget>
#include <array>
#include <optional>

class QLabel;
class QTabWidget;
class QTreeWidget;

namespace warplight::ui {

class DifferenceView;
class Workbench;

/// What the view shows.
struct RunComparison {
    std::array<ComparedRun, 2> runs;
    history::RunDifference difference;
    std::array<QString, 2> reports; ///< as text
};
/// In any thread: statistics of many repeats take a while. @param before the older of the two
RunComparison comparisonOf(ComparedRun before, ComparedRun after);

class ComparisonView : public QWidget {
    Q_OBJECT
public:
    ComparisonView(Workbench& workbench, RunComparison comparison, QWidget* parent = nullptr);

    enum Page { Overview, Source, Ptx, Report };
    QTabWidget* pages() const { return pages_; }
    QTreeWidget* overview() const { return overview_; }
    QString times() const; ///< the sentence about them
    DifferenceView* source() const { return source_; }
    DifferenceView* ptx() const { return ptx_; }
    DifferenceView* report() const { return report_; }

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void fillOverview(const history::RunDifference& difference);
    void fillOutputs(const history::RunDifference& difference);
    /// Compiles both sources again: the history keeps no PTX.
    void askPtx();
    void askPtx(std::size_t side);
    void takePtx(std::size_t side, const QString& ptx, const QString& problem);
    void restyle();

    Workbench& workbench_;
    std::array<ComparedRun, 2> runs_;
    QTabWidget* pages_;
    QLabel *times_, *compilers_;
    QTreeWidget* overview_;
    DifferenceView *source_, *ptx_, *report_;
    struct Compiled {
        QString ptx, problem;
    };
    std::array<std::optional<Compiled>, 2> compiled_;
    bool asked_ = false;
};

} // namespace warplight::ui
