// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/assembly/ptx_view.hpp"

#include "ui/code/ptx_lexer.hpp"
#include "ui/common/theme.hpp"

#include <algorithm>

namespace warplight::ui {

PtxView::PtxView(Theme& theme, QWidget* parent) : CodeView(theme, parent), lexer_(new PtxLexer(this)) {
    setAccessibleName(tr("PTX"));
    setLexer(lexer_);
    setTabWidth(4);
    setReadOnly(true);
    setBraceMatching(NoBraceMatch);
    applyLook();
}

void PtxView::setDimmed(bool dimmed) {
    if (dimmed == dimmed_) return;
    dimmed_ = dimmed;
    applyLook();
}

bool PtxView::openAt(const QString& name) {
    for (const PtxFunction& function : functions_) {
        if (function.name != name) continue;
        goTo(function.first);
        setFirstVisibleLine(int(SendScintilla(SCI_VISIBLEFROMDOCLINE, static_cast<unsigned long>(function.first - 1))));
        return true;
    }
    return false;
}

PtxView::Line PtxView::lineAt(int line) const {
    Line at{{}, line};
    for (const PtxFunction& function : functions_)
        if (function.first <= line) at = {function.name, line - function.first};
    return at;
}

int PtxView::lineOf(const Line& line) const {
    if (line.function.isEmpty()) return line.offset;
    for (const PtxFunction& function : functions_)
        if (function.name == line.function) return std::min(function.first + line.offset, lines());
    return 0;
}

PtxView::Place PtxView::place() const {
    Place place;
    int caret = 0;
    getCursorPosition(&caret, &place.column);
    const int first = firstVisibleLine();
    const int row = int(SendScintilla(SCI_VISIBLEFROMDOCLINE, static_cast<unsigned long>(caret))) - first;
    place.caret = lineAt(caret + 1);
    place.top = lineAt(int(SendScintilla(SCI_DOCLINEFROMVISIBLE, static_cast<unsigned long>(first))) + 1);
    if (row >= 0 && row < int(SendScintilla(SCI_LINESONSCREEN))) place.row = row;
    return place;
}

bool PtxView::goBackTo(const Place& place) {
    const int caret = lineOf(place.caret), top = lineOf(place.top);
    const bool byCaret = place.row >= 0 && caret > 0;
    if (!byCaret && top <= 0) return false;
    if (caret > 0) setCursorPosition(caret - 1, std::min(place.column, lineLength(caret - 1)));
    const int line = byCaret ? caret : top;
    const int row = int(SendScintilla(SCI_VISIBLEFROMDOCLINE, static_cast<unsigned long>(line - 1)));
    setFirstVisibleLine(std::max(0, byCaret ? row - place.row : row));
    return true;
}

void PtxView::applyLook() {
    SyntaxColours look = theme().colours().syntax;
    if (dimmed_)
        for (QColor* colour : {&look.text, &look.comment, &look.keyword, &look.type, &look.builtin, &look.qualifier,
                               &look.preprocessor, &look.string, &look.number, &look.function, &look.operators})
            *colour = theme().colours().disabledText;
    lexer_->setLook(look, theme().monospace());
    CodeView::applyLook();
}

void PtxView::setPtx(const QString& ptx) {
    if (ptx == text()) return;
    setLineColours({});
    setLinkedLines({});
    setReadOnly(false);
    setText(ptx);
    SendScintilla(SCI_EMPTYUNDOBUFFER);
    setReadOnly(true);
    functions_ = ptxFunctions(ptx);
}

void PtxView::showFunction(const QString& name) {
    SendScintilla(SCI_SHOWLINES, 0UL, static_cast<long>(lines() - 1));
    for (const PtxFunction& function : functions_) {
        if (function.name != name) continue;
        // The first line of a text cannot be hidden; PTX begins with a comment there.
        if (function.first > 2) SendScintilla(SCI_HIDELINES, 1UL, static_cast<long>(function.first - 2));
        if (function.last < lines())
            SendScintilla(SCI_HIDELINES, static_cast<unsigned long>(function.last), static_cast<long>(lines() - 1));
        goTo(function.first);
        setFirstVisibleLine(0);
        return;
    }
}

} // namespace warplight::ui
