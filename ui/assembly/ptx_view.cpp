// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/assembly/ptx_view.hpp"

#include "ui/common/theme.hpp"
#include "ui/editor/ptx_lexer.hpp"

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
