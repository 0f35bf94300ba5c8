// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Qsci/qsciscintilla.h>

#include <QList>
#include <QMap>

namespace warplight::ui {

class Theme;

/// What the source editor and the PTX view have in common: look, margins, keys, and the colours that link lines of the
/// one with lines of the other.
class CodeView : public QsciScintilla {
    Q_OBJECT
public:
    explicit CodeView(Theme& theme, QWidget* parent = nullptr);

    /// The caret is then at the beginning: QScintilla 2.14 leaves it at the end.
    void setText(const QString& text) override;

    /// Lines (from 1) that belong together carry the same number here; it chooses the colour of their strip.
    void setLineColours(const QMap<int, int>& colours);
    /// Marks lines (from 1) as the counterpart of where the caret is in the other view.
    void setLinkedLines(const QList<int>& lines);
    QList<int> linkedLines() const { return linked_; }
    /// Caret to a place (from 1), which comes into view.
    void goTo(int line, int column = 0);
    /// Brings a line into view without moving the caret.
    void reveal(int line);
    int caretLine() const; ///< from 1

    /// Marks all places of a text search; byte positions and lengths.
    void setFindMarks(const QList<QPair<int, int>>& marks);

signals:
    void caretMoved(int line, int column); ///< from 1
    void keyToLeave();                     ///< Escape, when the view itself had no use for it
    void zoomRequested(int steps);         ///< the wheel with Ctrl; zoom is the window's

protected:
    Theme& theme() const { return theme_; }
    virtual void applyLook();
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

    enum Marker { FirstStrip = 0, Linked = 8, ErrorMark = 9, WarningMark = 10, NoteMark = 11 };
    enum Margin { NumberMargin = 0, SymbolMargin = 1, StripMargin = 2, FoldMargin = 3 };
    enum Indicator { FindIndicator = 8, OccurrenceIndicator = 9, ErrorIndicator = 10, WarningIndicator = 11 };

private:
    void fitNumberMargin();

    Theme& theme_;
    QMap<int, int> colours_;
    QList<int> linked_;
};

} // namespace warplight::ui
