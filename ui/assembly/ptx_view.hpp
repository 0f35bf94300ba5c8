// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/assembly/line_map.hpp"
#include "ui/editor/code_view.hpp"

namespace warplight::ui {

class PtxLexer;

/// PTX to read: coloured, searchable, one function of it or all.
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
    /// Pale, as something that is not of the source any more.
    void setDimmed(bool dimmed);
    bool isDimmed() const { return dimmed_; }

protected:
    void applyLook() override;

private:
    PtxLexer* lexer_;
    QList<PtxFunction> functions_;
    bool dimmed_ = false;
};

} // namespace warplight::ui
