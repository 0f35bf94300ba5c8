// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/debug/variables_view.hpp"

#include "ui/common/theme.hpp"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QMenu>

namespace warplight::ui {

VariablesView::VariablesView(VariablesModel* model, Theme& theme, QWidget* parent)
    : QTreeView(parent), model_(model), theme_(theme) {
    setModel(model);
    setUniformRowHeights(true);
    setAlternatingRowColors(true);
    setFrameShape(QFrame::NoFrame);
    setEditTriggers(EditKeyPressed | SelectedClicked | DoubleClicked);
    header()->setStretchLastSection(true);
    connect(this, &QTreeView::expanded, model_, [this](const QModelIndex& index) { model_->setOpen(index, true); });
    connect(this, &QTreeView::collapsed, model_, [this](const QModelIndex& index) { model_->setOpen(index, false); });
    connect(&theme_, &Theme::themeChanged, this, &VariablesView::restyle);
    restyle();
}

void VariablesView::restyle() {
    setFont(theme_.monospace());
    const Colours& c = theme_.colours();
    model_->setColours(c.accent, c.mutedText);
    const int letter = QFontMetrics(font()).averageCharWidth();
    header()->resizeSection(VariablesModel::Name, letter * 18);
    header()->resizeSection(VariablesModel::Value, letter * 20);
}

void VariablesView::contextMenuEvent(QContextMenuEvent* event) {
    const QModelIndex at = currentIndex();
    if (!at.isValid()) return;
    const DebugVariable v = model_->variable(at);
    const bool isTop = !at.parent().isValid();
    const bool isWatch = isTop && (model_->flags(at.siblingAtColumn(VariablesModel::Name)) & Qt::ItemIsEditable);
    QMenu menu;
    const auto add = [&](const QString& text, bool enabled, const auto& what) {
        QAction* action = menu.addAction(text, this, what);
        action->setEnabled(enabled);
    };
    const bool named = !v.expression.isEmpty();
    add(tr("Show in All &Lanes"), named, [this, v] { emit lanesRequested(v.expression); });
    add(tr("Show &Memory"), !v.memory.isEmpty(), [this, v] { emit memoryRequested(v); });
    add(tr("Go &Back to Last Write"), named, [this, v] { emit lastWriteRequested(v.expression); });
    menu.addSeparator();
    if (isWatch) {
        add(tr("&Edit Watch"), true, [this, at] { edit(at.siblingAtColumn(VariablesModel::Name)); });
        add(tr("&Remove Watch"), true, [this, at] { emit removeRequested(at.row()); });
    } else {
        add(tr("Add &Watch"), named, [this, v] { emit watchRequested(v.expression); });
    }
    add(tr("&Copy Value"), !v.value.isEmpty(), [v] { QApplication::clipboard()->setText(v.value); });
    menu.exec(event->globalPos());
}

void VariablesView::keyPressEvent(QKeyEvent* event) {
    const QModelIndex at = currentIndex();
    if (event->key() == Qt::Key_Delete && at.isValid() && !at.parent().isValid() && state() != EditingState) {
        emit removeRequested(at.row());
        return;
    }
    QTreeView::keyPressEvent(event);
}

} // namespace warplight::ui
