// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/assembly/line_map.hpp"
#include "ui/code/code_view.hpp"

namespace warplight::ui {

class PtxLexer;

/// Read-only PTX with colours and search. It shows one function or all.
class PtxView : public CodeView {
    Q_OBJECT
public:
    explicit PtxView(Theme& theme, QWidget* parent = nullptr);

    void setPtx(const QString& ptx);
    const QList<PtxFunction>& functions() const { return functions_; }
    /// Shows only this function; an empty name shows all.
    void showFunction(const QString& name);
    /// Brings the function's head to the top; false when there is no such function.
    bool openAt(const QString& name);

    /// A line, counted from the head of its function. So it can be found again in the PTX of the next compilation.
    struct Line {
        QString function; ///< none before the first
        int offset = 0;
    };
    struct Place {
        Line caret, top;
        int column = 0; ///< of the caret
        int row = -1;   ///< of the caret among those shown; -1 when it is out of sight
    };
    Place place() const;
    /// Goes to that place in the current PTX; false when its function is gone.
    bool goBackTo(const Place& place);
    /// Pale text: the PTX is of an older source.
    void setDimmed(bool dimmed);
    bool isDimmed() const { return dimmed_; }

protected:
    void applyLook() override;

private:
    Line lineAt(int line) const;
    int lineOf(const Line& line) const; ///< 0 when its function is gone

    PtxLexer* lexer_;
    QList<PtxFunction> functions_;
    bool dimmed_ = false;
};

} // namespace warplight::ui
