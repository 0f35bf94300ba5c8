// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>

class QLineEdit;

namespace warplight::ui {

class DebugSession;
class Theme;
class VariablesModel;
class VariablesView;

/// Expressions that are evaluated at each stop. The settings keep them by the source.
class WatchesPage : public QWidget {
    Q_OBJECT
public:
    WatchesPage(DebugSession& session, Theme& theme, QWidget* parent = nullptr);

    /// Those of a source (Breakpoints' key).
    void setSource(const QString& source);
    QStringList watches() const { return watches_; }
    void add(const QString& expression);
    void rename(int row, const QString& expression);
    void remove(int row);
    void refresh();
    VariablesView* view() const { return view_; }
    VariablesModel* model() const { return model_; }
    QLineEdit* line() const { return line_; }

private:
    void rebuild();
    void store();

    DebugSession& session_;
    QString source_;
    QStringList watches_;
    VariablesModel* model_;
    VariablesView* view_;
    QLineEdit* line_;
};

} // namespace warplight::ui
