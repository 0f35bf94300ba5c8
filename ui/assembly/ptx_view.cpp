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

void PtxView::applyLook() {
    lexer_->setLook(theme().colours().syntax, theme().monospace());
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
