// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/code/code_view.hpp"

#include "ui/common/theme.hpp"

#include <Qsci/qscicommandset.h>

#include <QKeyEvent>
#include <QWheelEvent>

#include <algorithm>

namespace warplight::ui {

namespace {
constexpr int strips = 8;
}

CodeView::CodeView(Theme& theme, QWidget* parent) : QsciScintilla(parent), theme_(theme) {
    setFrameShape(QFrame::NoFrame);
    setUtf8(true);
    setEolMode(EolUnix);
    setTabWidth(4);
    setIndentationsUseTabs(false);
    setTabIndents(true);
    setBackspaceUnindents(true);
    setAutoIndent(true);
    setIndentationGuides(false);
    setBraceMatching(SloppyBraceMatch);
    setCaretLineVisible(true);
    setCaretWidth(2);
    setScrollWidthTracking(true);
    setScrollWidth(1);
    // The window has actions with these keys, which a view would take first: zoom, Toggle Comment, Duplicate Line, New
    // Tab.
    for (const auto which : {QsciCommand::ZoomIn, QsciCommand::ZoomOut, QsciCommand::WordPartLeft,
                             QsciCommand::SelectionDuplicate, QsciCommand::LineTranspose})
        if (QsciCommand* command = standardCommands()->find(which)) {
            command->setKey(0);
            command->setAlternateKey(0);
        }
    SendScintilla(SCI_SETMULTIPLESELECTION, true);
    SendScintilla(SCI_SETADDITIONALSELECTIONTYPING, true);
    SendScintilla(SCI_SETMULTIPASTE, SC_MULTIPASTE_EACH);
    SendScintilla(SCI_SETEXTRAASCENT, 1);
    SendScintilla(SCI_SETEXTRADESCENT, 1);

    setMarginType(NumberMargin, QsciScintilla::NumberMargin);
    setMarginWidth(SymbolMargin, 0);
    for (int margin : {SymbolMargin, StripMargin}) {
        setMarginType(margin, QsciScintilla::SymbolMargin);
        setMarginSensitivity(margin, false);
    }
    setMarginMarkerMask(SymbolMargin, (1 << ErrorMark) | (1 << WarningMark) | (1 << NoteMark));
    setMarginMarkerMask(StripMargin, (1 << strips) - 1);
    setMarginWidth(StripMargin, 0);
    for (int i = 0; i < strips; ++i)
        markerDefine(FullRectangle, FirstStrip + i);
    markerDefine(Background, Linked);
    markerDefine(Background, Changed);
    indicatorDefine(StraightBoxIndicator, FindIndicator);
    indicatorDefine(StraightBoxIndicator, OccurrenceIndicator);
    indicatorDefine(SquiggleIndicator, ErrorIndicator);
    indicatorDefine(SquiggleIndicator, WarningIndicator);
    for (int indicator : {FindIndicator, OccurrenceIndicator}) {
        setIndicatorDrawUnder(true, indicator);
        SendScintilla(SCI_INDICSETOUTLINEALPHA, static_cast<unsigned long>(indicator), 150L);
    }
    connect(this, &QsciScintilla::linesChanged, this, &CodeView::fitNumberMargin);
    connect(this, &QsciScintilla::cursorPositionChanged, this,
            [this](int line, int column) { emit caretMoved(line + 1, column + 1); });
    connect(&theme_, &Theme::themeChanged, this, [this] { applyLook(); });
}

void CodeView::setText(const QString& text) {
    QsciScintilla::setText(text);
    if (SendScintilla(SCI_GETCURRENTPOS) != 0) SendScintilla(SCI_GOTOPOS, 0UL);
}

void CodeView::applyLook() {
    const Colours& colours = theme_.colours();
    const SyntaxColours& syntax = colours.syntax;
    const QFont font = theme_.monospace();
    setFont(font);
    setColor(syntax.text);
    setPaper(syntax.background);
    setCaretForegroundColor(syntax.text);
    setCaretLineBackgroundColor(syntax.currentLine);
    setSelectionBackgroundColor(syntax.selection);
    resetSelectionForegroundColor();
    setMarginsFont(font);
    setMarginsForegroundColor(syntax.lineNumber);
    setMarginsBackgroundColor(syntax.lineNumberBackground);
    setFoldMarginColors(syntax.lineNumberBackground, syntax.lineNumberBackground);
    setMatchedBraceBackgroundColor(syntax.matchedBrace);
    setMatchedBraceForegroundColor(syntax.text);
    setUnmatchedBraceForegroundColor(colours.error);
    setUnmatchedBraceBackgroundColor(syntax.background);
    for (int i = 0; i < strips; ++i) {
        setMarkerBackgroundColor(theme_.series(i), FirstStrip + i);
        setMarkerForegroundColor(theme_.series(i), FirstStrip + i);
    }
    setMarkerBackgroundColor(syntax.linkedLine, Linked);
    setMarkerBackgroundColor(colours.accentSoft, Changed);
    // An indicator takes its transparency from the colour.
    const auto through = [](QColor colour) {
        colour.setAlpha(70);
        return colour;
    };
    setIndicatorForegroundColor(through(colours.warning), FindIndicator);
    setIndicatorForegroundColor(through(colours.accent), OccurrenceIndicator);
    setIndicatorForegroundColor(colours.error, ErrorIndicator);
    setIndicatorForegroundColor(colours.warning, WarningIndicator);
    fitNumberMargin();
}

void CodeView::fitNumberMargin() {
    const int digits = std::max(3, int(QString::number(lines()).size()));
    setMarginWidth(NumberMargin, QString(digits + 1, QLatin1Char('8')));
}

void CodeView::setLineColours(const QMap<int, int>& colours) {
    if (colours == colours_) return;
    colours_ = colours;
    for (int i = 0; i < strips; ++i)
        markerDeleteAll(FirstStrip + i);
    for (auto it = colours.cbegin(); it != colours.cend(); ++it)
        if (it.key() >= 1 && it.key() <= lines()) markerAdd(it.key() - 1, FirstStrip + it.value() % strips);
    setMarginWidth(StripMargin, colours.isEmpty() ? 0 : 4);
}

void CodeView::setLinkedLines(const QList<int>& lines) {
    if (lines == linked_) return;
    linked_ = lines;
    markerDeleteAll(Linked);
    for (int line : lines)
        if (line >= 1 && line <= this->lines()) markerAdd(line - 1, Linked);
}

void CodeView::goTo(int line, int column) {
    line = std::clamp(line, 1, std::max(1, lines()));
    ensureLineVisible(line - 1);
    setCursorPosition(line - 1, std::max(0, column - 1));
    reveal(line);
}

void CodeView::reveal(int line) {
    ensureLineVisible(line - 1);
    const int first = firstVisibleLine();
    const int shown = int(SendScintilla(SCI_LINESONSCREEN));
    const int row = int(SendScintilla(SCI_VISIBLEFROMDOCLINE, static_cast<unsigned long>(line - 1)));
    if (row < first + 2 || row >= first + shown - 2) setFirstVisibleLine(std::max(0, row - shown / 3));
}

int CodeView::caretLine() const {
    int line = 0, column = 0;
    getCursorPosition(&line, &column);
    return line + 1;
}

void CodeView::setFindMarks(const QList<QPair<int, int>>& marks) {
    SendScintilla(SCI_SETINDICATORCURRENT, FindIndicator);
    SendScintilla(SCI_INDICATORCLEARRANGE, 0UL, SendScintilla(SCI_GETLENGTH));
    for (const auto& [position, length] : marks)
        SendScintilla(SCI_INDICATORFILLRANGE, static_cast<unsigned long>(position), static_cast<long>(length));
}

void CodeView::wheelEvent(QWheelEvent* event) {
    if (event->modifiers() & Qt::ControlModifier) {
        if (event->angleDelta().y() != 0) emit zoomRequested(event->angleDelta().y() > 0 ? 1 : -1);
        event->accept();
        return;
    }
    QsciScintilla::wheelEvent(event);
}

void CodeView::keyPressEvent(QKeyEvent* event) {
    const bool busy = isListActive() || isCallTipActive() || SendScintilla(SCI_GETSELECTIONS) > 1;
    if (event->key() == Qt::Key_Escape && !busy) {
        emit keyToLeave();
        event->accept();
        return;
    }
    QsciScintilla::keyPressEvent(event);
}

} // namespace warplight::ui
