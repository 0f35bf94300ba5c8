// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/code/ptx_lexer.hpp"

namespace warplight::ui {

/// SASS, the instructions of a GPU, with the styles of PTX.
class SassLexer : public PtxLexer {
    Q_OBJECT
public:
    using PtxLexer::PtxLexer;

    const char* language() const override { return "SASS"; }
    /// The styles of a text that starts at the start of a line.
    static QList<Run> sassRuns(QByteArrayView text);

protected:
    QList<Run> runsOf(QByteArrayView text, bool) const override { return sassRuns(text); }
};

} // namespace warplight::ui
