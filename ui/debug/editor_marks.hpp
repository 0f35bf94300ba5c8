// SPDX-License-Identifier: GPL-3.0-or-later
/// The debugger in an editor: breakpoints, the line where the kernel stands, how many lanes are at which line, values
/// of variables under the mouse.
#pragma once

#include "ui/debug/edited_lines.hpp"

#include <QImage>
#include <QObject>
#include <QPoint>
#include <QPointer>
#include <QString>

class QMenu;

namespace warplight::ui {

struct Breakpoint;
class Breakpoints;
class CudaEditor;
class DebugSession;
class Theme;

class EditorMarks : public QObject {
    Q_OBJECT
public:
    /// The editor owns it.
    EditorMarks(CudaEditor& editor, Breakpoints& breakpoints, DebugSession& session, Theme& theme);
    static EditorMarks* of(const CudaEditor* editor);

    const QString& source() const { return key_; }
    /// At the caret.
    void toggleBreakpoint();
    void runToLine();
    void editCondition(int line);
    /// The line (from 1) that is marked as the one where the kernel stands; 0: none.
    int currentLine() const { return current_; }
    /// How many lanes of the warp are at a line, as the margin says.
    int lanesAt(int line) const;
    /// What is said of the margin at a line; empty: nothing.
    QString marginText(int line) const;
    /// The expression at a place in the text: a name with what it is a member of, or the selected text.
    QString expressionAt(int line, int column) const;
    /// Entries for the menu of a line.
    void addTo(QMenu& menu, int line);

signals:
    void lanesRequested(const QString& file, int line);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    enum Mark { Set, Conditional, Disabled, Refused, Current, Caller, CurrentLine, Badge, BadgeEnd = Badge + 4 };
    static int marker(int mark);
    void define();
    void showBreakpoints();
    void showPlace();
    void onModified(int position, int type, const char* text, int length, int linesAdded);
    void hover(QPoint place, QPoint global);
    bool isInMargin(int x) const;
    int lineAt(QPoint place) const;
    QImage badge(const QString& text) const;

    CudaEditor& editor_;
    Breakpoints& breakpoints_;
    DebugSession& session_;
    Theme& theme_;
    QString key_;
    int current_ = 0;
    bool emptied_ = false; ///< the text was taken away, to be replaced
    quint64 hovers_ = 0;
};

} // namespace warplight::ui
