// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "compiler/sass.hpp"
#include "ui/code/code_view.hpp"

namespace warplight::ui {

class SassLexer;

/// Read-only SASS, whose branches can be followed: with Enter, or by a double click on the name of the target.
class SassView : public CodeView {
    Q_OBJECT
public:
    explicit SassView(Theme& theme, QWidget* parent = nullptr);

    void setListing(const compiler::SassListing& listing);
    /// The line (from 1) that the branch in this line goes to; 0: none.
    int target(int line) const { return targets_.value(line, 0); }
    /// Goes to the target of the branch in the line of the caret.
    void followBranch();
    /// Back to the branch that was followed last.
    void goBack();
    bool canGoBack() const { return !back_.isEmpty(); }
    void setDimmed(bool dimmed);
    bool isDimmed() const { return dimmed_; }

signals:
    void followed(); ///< a branch, or back

protected:
    void applyLook() override;
    void keyPressEvent(QKeyEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;

private:
    static constexpr int TargetIndicator = 13;
    void underlineTargets();

    SassLexer* lexer_;
    QMap<int, int> targets_;
    QList<int> back_;
    bool dimmed_ = false;
};

} // namespace warplight::ui
