// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sass/sass_view.hpp"

#include "ui/code/sass_lexer.hpp"
#include "ui/common/theme.hpp"

#include <QKeyEvent>
#include <QMouseEvent>

namespace warplight::ui {

SassView::SassView(Theme& theme, QWidget* parent) : CodeView(theme, parent), lexer_(new SassLexer(this)) {
    setAccessibleName(tr("SASS"));
    setLexer(lexer_);
    setTabWidth(4);
    setReadOnly(true);
    setBraceMatching(NoBraceMatch);
    indicatorDefine(PlainIndicator, TargetIndicator);
    applyLook();
}

void SassView::setListing(const compiler::SassListing& listing) {
    setLineColours({});
    setLinkedLines({});
    targets_.clear();
    back_.clear();
    for (const auto& line : listing.lines)
        if (line.target > 0) targets_.insert(line.line, line.target);
    const QString shown = QString::fromStdString(listing.text);
    if (shown != text()) {
        setReadOnly(false);
        setText(shown);
        SendScintilla(SCI_EMPTYUNDOBUFFER);
        setReadOnly(true);
    }
    underlineTargets();
}

void SassView::underlineTargets() {
    for (auto it = targets_.cbegin(); it != targets_.cend(); ++it) {
        const int line = it.key() - 1;
        const QString words = text(line);
        // `(.L_x_2) of nvdisasm, and the address that cuobjdump writes
        qsizetype from = words.indexOf(QLatin1String("`("));
        const bool named = from >= 0;
        if (!named) from = words.lastIndexOf(QLatin1String("0x"));
        if (from < 0) continue;
        const qsizetype to = named ? words.indexOf(QLatin1Char(')'), from) + 1 : words.indexOf(QLatin1Char(' '), from);
        if (to > from) fillIndicatorRange(line, int(from), line, int(to), TargetIndicator);
    }
}

void SassView::followBranch() {
    const int from = caretLine(), to = target(from);
    if (to == 0) return;
    back_.append(from);
    goTo(to);
    emit followed();
}

void SassView::goBack() {
    if (back_.isEmpty()) return;
    goTo(back_.takeLast());
    emit followed();
}

void SassView::setDimmed(bool dimmed) {
    if (dimmed == dimmed_) return;
    dimmed_ = dimmed;
    applyLook();
}

void SassView::applyLook() {
    SyntaxColours look = theme().colours().syntax;
    if (dimmed_)
        for (QColor* colour : {&look.text, &look.comment, &look.keyword, &look.type, &look.builtin, &look.qualifier,
                               &look.preprocessor, &look.string, &look.number, &look.function, &look.operators})
            *colour = theme().colours().disabledText;
    lexer_->setLook(look, theme().monospace());
    CodeView::applyLook();
    setIndicatorForegroundColor(theme().colours().accent, TargetIndicator);
}

void SassView::keyPressEvent(QKeyEvent* event) {
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (enter && target(caretLine()) > 0) return followBranch();
    if (event->key() == Qt::Key_Backspace && canGoBack()) return goBack();
    CodeView::keyPressEvent(event);
}

void SassView::mouseDoubleClickEvent(QMouseEvent* event) {
    const QPoint at = event->position().toPoint();
    const long position =
        SendScintilla(SCI_POSITIONFROMPOINTCLOSE, static_cast<unsigned long>(at.x()), static_cast<long>(at.y()));
    if (position >= 0 &&
        SendScintilla(SCI_INDICATORVALUEAT, static_cast<unsigned long>(TargetIndicator), position) != 0) {
        goTo(int(SendScintilla(SCI_LINEFROMPOSITION, position)) + 1);
        return followBranch();
    }
    CodeView::mouseDoubleClickEvent(event);
}

} // namespace warplight::ui
