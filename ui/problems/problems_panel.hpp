// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/common/panel.hpp"

class QAction;
class QLineEdit;
class QScrollArea;
class QToolButton;
class QTreeView;

namespace warplight::ui {

class ProblemsFilter;
class ProblemsModel;
class TwoThreads;

/// The problems of the last build and run. Enter or a double click goes to a problem's place.
class ProblemsPanel : public Panel {
    Q_OBJECT
public:
    explicit ProblemsPanel(Workbench& workbench, QWidget* parent = nullptr);

    int problemCount() const;
    ProblemsModel* model() const { return model_; }
    QTreeView* view() const { return view_; }
    QList<QAction*> panelActions() const override { return actions_; }
    void copySelected();
    /// Of the selected finding, if it is one of two threads; else of the first such one.
    TwoThreads* threads() const { return threads_; }
    bool areThreadsShown() const;
    QToolButton* threadsButton() const { return threadsButton_; }

signals:
    void countsChanged(int errors, int warnings);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void refresh();
    void updateEmptyNote();
    void updateThreads();
    void jump(const QModelIndex& index);
    void step(int by);

    ProblemsModel* model_;
    ProblemsFilter* filter_;
    QTreeView* view_;
    QLineEdit* search_;
    QToolButton* severities_[3];
    QToolButton* threadsButton_;
    TwoThreads* threads_;
    QScrollArea* threadsPane_;
    QAction* build_;
    QList<QAction*> actions_;
};

} // namespace warplight::ui
