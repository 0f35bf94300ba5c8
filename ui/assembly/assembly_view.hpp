// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/assembly/line_map.hpp"
#include "ui/common/results.hpp"

#include <QWidget>

class QComboBox;
class QLabel;
class QStackedWidget;
class QTabWidget;
class QTreeView;

namespace warplight::ui {

class FindBar;
class PtxView;
class ReportModel;
class Theme;

/// What the compiler made of the source: its PTX, linked with the source's lines, and the ptxas report.
class AssemblyView : public QWidget {
    Q_OBJECT
public:
    explicit AssemblyView(Theme& theme, QWidget* parent = nullptr);

    /// What a compilation gave. Of one that failed there is no PTX: the last one stays, dimmed.
    /// @param kernel lowered name of the kernel that the view opens at
    void setOutput(const CompileOutput& output, const LineMap& map, const QString& kernel = {});
    /// The source is other than what was compiled.
    void setStale(bool stale);
    /// The caret of the source is at this line: marks and shows its PTX.
    void showSourceLine(int line);
    void openFind();
    void copyAll();

    PtxView* ptx() const { return ptx_; }
    FindBar* findBar() const { return find_; }
    ReportModel* report() const { return report_; }
    QTabWidget* tabs() const { return tabs_; }
    QComboBox* functionBox() const { return function_; }

signals:
    void sourceLineRequested(int line); ///< the caret went to PTX of this line
    void buildRequested();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void restyle();
    void fillFunctions();
    void fitColumns();
    /// The kernel, or the first one there is.
    QString functionToOpenAt(const QString& kernel) const;

    Theme& theme_;
    LineMap map_;
    QTabWidget* tabs_;
    PtxView* ptx_;
    FindBar* find_;
    QComboBox* function_;
    QLabel *stale_, *reportNote_, *summary_;
    QTreeView* table_;
    ReportModel* report_;
    QStackedWidget *ptxStack_, *reportStack_;
    QString openedAt_; ///< the function that was shown first
    bool linking_ = false;
};

} // namespace warplight::ui
