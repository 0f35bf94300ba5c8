// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/debug/debug_console.hpp"

#include "ui/common/theme.hpp"
#include "ui/debug/debug_session.hpp"

#include <QKeyEvent>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QTextCharFormat>
#include <QTextCursor>
#include <QVBoxLayout>

namespace warplight::ui {
namespace {

constexpr int mostConsoleLines = 10000;

} // namespace

DebugConsole::DebugConsole(DebugSession& session, Theme& theme, QWidget* parent)
    : QWidget(parent), session_(session), theme_(theme) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    view_ = new QPlainTextEdit;
    view_->setReadOnly(true);
    view_->setMaximumBlockCount(mostConsoleLines);
    view_->setFrameShape(QFrame::NoFrame);
    view_->setAccessibleName(tr("What the kernel and the debugger say"));
    line_ = new QLineEdit;
    line_->setPlaceholderText(tr("Expression, or lane 7, block 5, last-write x, help"));
    line_->setAccessibleName(tr("Expression or command for the debugger"));
    line_->installEventFilter(this);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(Theme::grid, Theme::half, Theme::grid, Theme::half);
    row->addWidget(line_);
    column->addWidget(view_, 1);
    column->addLayout(row);
    connect(line_, &QLineEdit::returnPressed, this, &DebugConsole::enter);
    connect(&theme_, &Theme::themeChanged, this, &DebugConsole::restyle);
    restyle();
}

void DebugConsole::restyle() {
    view_->setFont(theme_.monospace());
    line_->setFont(theme_.monospace());
}

void DebugConsole::append(const QString& category, const QString& text) {
    const Colours& c = theme_.colours();
    QTextCharFormat format;
    if (category == QLatin1String("stderr") || category == QLatin1String("refused") ||
        category == QLatin1String("important"))
        format.setForeground(c.error);
    else if (category == QLatin1String("console") || category == QLatin1String("typed"))
        format.setForeground(c.mutedText);
    const QScrollBar* bar = view_->verticalScrollBar();
    const bool follows = bar->value() == bar->maximum();
    QTextCursor cursor(view_->document());
    cursor.movePosition(QTextCursor::End);
    cursor.insertText(text, format);
    if (follows) view_->verticalScrollBar()->setValue(view_->verticalScrollBar()->maximum());
}

void DebugConsole::clear() { view_->clear(); }

void DebugConsole::enter() {
    const QString text = line_->text().trimmed();
    if (text.isEmpty()) return;
    if (history_.isEmpty() || history_.last() != text) history_ << text;
    shown_ = history_.size();
    line_->clear();
    append(QStringLiteral("typed"), QStringLiteral("> ") + text + QLatin1Char('\n'));
    if (session_.isStanding())
        session_.enter(text);
    else
        append(QStringLiteral("refused"), tr("Nothing stands still: pause the kernel first.") + QLatin1Char('\n'));
}

bool DebugConsole::eventFilter(QObject* watched, QEvent* event) {
    if (watched != line_ || event->type() != QEvent::KeyPress) return QWidget::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key != Qt::Key_Up && key != Qt::Key_Down) return false;
    const qsizetype to = shown_ + (key == Qt::Key_Up ? -1 : 1);
    if (to < 0 || to > history_.size()) return true;
    shown_ = to;
    line_->setText(history_.value(to));
    return true;
}

} // namespace warplight::ui
