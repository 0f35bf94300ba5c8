// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLineEdit;
class QPlainTextEdit;

namespace warplight::ui {

class DebugSession;
class Theme;

/// What the kernel prints and the debugger says, and a line for expressions and commands.
class DebugConsole : public QWidget {
    Q_OBJECT
public:
    DebugConsole(DebugSession& session, Theme& theme, QWidget* parent = nullptr);

    void append(const QString& category, const QString& text);
    void clear();
    QPlainTextEdit* view() const { return view_; }
    QLineEdit* line() const { return line_; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void restyle();
    void enter();

    DebugSession& session_;
    Theme& theme_;
    QPlainTextEdit* view_;
    QLineEdit* line_;
    QStringList history_;
    qsizetype shown_ = 0; ///< of the history
};

} // namespace warplight::ui
