// SPDX-License-Identifier: GPL-3.0-or-later
/// The steps of a pipeline: added, edited, moved and removed, each as one step of undo.
#pragma once

#include "ui/common/document.hpp"
#include "ui/launch/pipeline_edit.hpp"

#include <QMenu>
#include <QWidget>

class QAction;
class QCheckBox;
class QComboBox;
class QKeyEvent;
class QLabel;
class QSpinBox;
class QToolButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace warplight::ui {

class ChecksBox;
class NumberBox;
class Theme;

class PipelinePage : public QWidget {
    Q_OBJECT
public:
    PipelinePage(Document& document, Theme& theme, QWidget* parent = nullptr);

    /// The step that is selected; empty: none.
    StepPath current() const;
    void setCurrent(const StepPath& path);
    QTreeWidget* steps() const { return steps_; }
    /// Adds a step of the kind at this place of session::kind_of(), without a dialog.
    void add(int kind);
    void editCurrent();
    QList<QAction*> stepActions() const { return {edit_, duplicate_, remove_, up_, down_}; }
    QList<QWidget*> tabOrder() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void build();
    /// What a key does in the list of steps; null where it does nothing of its own.
    QAction* actionOf(const QKeyEvent* key) const;
    QLayout* buildFrames();
    QLayout* buildRuns();
    static QSpinBox* addNumber(int least, int most, const QString& prefix = {});
    void showSession();
    void showSteps(const std::vector<session::PipelineStep>& steps, QTreeWidgetItem* above, const StepPath& path);
    void enable();
    /// Changes the pipeline, and selects the step that `edit` returns.
    void change(const QString& what, const std::function<StepPath(session::Pipeline&)>& edit);
    void changeFrames();

    Document& document_;
    Theme& theme_;
    QMenu addMenu_;
    QToolButton* addButton_;
    QAction *edit_, *duplicate_, *remove_, *up_, *down_;
    QTreeWidget* steps_;
    QComboBox *runAs_, *frames_;
    QCheckBox* coldL2_;
    QSpinBox *every_, *atMost_, *repeat_, *warmup_;
    ChecksBox* checks_;
    QList<QToolButton*> buttons_;
    bool showing_ = false;
};

} // namespace warplight::ui
