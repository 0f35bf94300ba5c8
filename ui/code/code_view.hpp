// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Qsci/qsciscintilla.h>

#include <QList>
#include <QMap>

namespace warplight::ui {

class Theme;

/// The base of the source editor and of the PTX view: look, margins, keys. Equal colours link source lines with PTX
/// lines.
class CodeView : public QsciScintilla {
    Q_OBJECT
public:
    explicit CodeView(Theme& theme, QWidget* parent = nullptr);

    /// FirstDebug to LastDebug are those of ui/debug/editor_marks.
    enum Marker {
        FirstStrip = 0,
        Linked = 8,
        ErrorMark = 9,
        WarningMark = 10,
        NoteMark = 11,
        FirstDebug = 12,
        LastDebug = 22,
        Heat = 23,
        Changed = 24 ///< differs from the version beside it
    };
    enum Margin {
        NumberMargin = 0,
        SymbolMargin = 1,
        StripMargin = 2,
        FoldMargin = 3,
        HeatMargin = 4,
        LanesMargin = 5,
        MarginCount
    };

    /// Moves the caret to the beginning, too: QScintilla 2.14 leaves it at the end.
    void setText(const QString& text) override;

    /// Line (from 1) → number of the colour of its strip.
    void setLineColours(const QMap<int, int>& colours);
    /// Marks the lines (from 1) that belong to the line of the caret in the other view.
    void setLinkedLines(const QList<int>& lines);
    QList<int> linkedLines() const { return linked_; }
    /// Moves the caret to a place (from 1) and brings it into view.
    void goTo(int line, int column = 0);
    /// Brings a line into view without moving the caret.
    void reveal(int line);
    int caretLine() const; ///< from 1

    /// Marks all places of a text search; byte positions and lengths.
    void setFindMarks(const QList<QPair<int, int>>& marks);

signals:
    void caretMoved(int line, int column); ///< from 1
    void keyToLeave();                     ///< Escape, unless the view needs it itself
    void zoomRequested(int steps);         ///< Ctrl and the wheel; the window keeps the zoom

protected:
    Theme& theme() const { return theme_; }
    virtual void applyLook();
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

    enum Indicator { FindIndicator = 8, OccurrenceIndicator = 9, ErrorIndicator = 10, WarningIndicator = 11 };

private:
    void fitNumberMargin();

    Theme& theme_;
    QMap<int, int> colours_;
    QList<int> linked_;
};

} // namespace warplight::ui
