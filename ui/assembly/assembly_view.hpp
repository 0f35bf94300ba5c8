// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/assembly/line_map.hpp"
#include "ui/common/results.hpp"

#include <QHash>
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

/// The PTX of the source, linked with the source's lines, and the ptxas report.
class AssemblyView : public QWidget {
    Q_OBJECT
public:
    explicit AssemblyView(Theme& theme, QWidget* parent = nullptr);

    /// Shows the result of a compilation. A failed one has no PTX: the last PTX stays, dimmed.
    /// @param kernel lowered name of the kernel that the view opens at
    void setOutput(const CompileOutput& output, const LineMap& map, const QString& kernel = {});
    /// The source was edited after it was compiled.
    void setStale(bool stale);
    /// Marks and shows the PTX of this line, which has the caret of the source.
    void showSourceLine(int line);
    void openFind();
    void copyAll();

    PtxView* ptx() const { return ptx_; }
    /// Of the page that is shown.
    FindBar* findBar() const;
    /// Puts a page behind the PTX, with a search bar of its own.
    void addPage(QWidget* page, const QString& title, const QString& tip, FindBar* find);
    ReportModel* report() const { return report_; }
    QTabWidget* tabs() const { return tabs_; }
    QComboBox* functionBox() const { return function_; }

signals:
    void sourceLineRequested(int line); ///< the caret moved to PTX of this line
    void buildRequested();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void restyle();
    void showHints(); ///< in place of what is not there
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
    QLabel *stale_, *ptxNote_, *reportNote_, *summary_;
    QTreeView* table_;
    ReportModel* report_;
    QStackedWidget *ptxStack_, *reportStack_;
    QHash<QWidget*, FindBar*> finds_; ///< of added pages
    QString openedAt_;                ///< the function that was shown first
    QString resourcesProblem_;        ///< why there is no report
    bool linking_ = false;
};

} // namespace warplight::ui
