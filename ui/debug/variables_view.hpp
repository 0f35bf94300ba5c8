// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/debug/variables_model.hpp"

#include <QTreeView>

namespace warplight::ui {

class Theme;

/// A tree of variables, with a menu for what can be done with one.
class VariablesView : public QTreeView {
    Q_OBJECT
public:
    VariablesView(VariablesModel* model, Theme& theme, QWidget* parent = nullptr);
    VariablesModel* variables() const { return model_; }

signals:
    void watchRequested(const QString& expression);
    void lanesRequested(const QString& expression);
    void memoryRequested(const DebugVariable& variable);
    void lastWriteRequested(const QString& expression);
    void removeRequested(int row); ///< of an outermost row

protected:
    void contextMenuEvent(QContextMenuEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void restyle();

    VariablesModel* model_;
    Theme& theme_;
};

} // namespace warplight::ui
