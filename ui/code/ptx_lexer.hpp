// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Qsci/qscilexercustom.h>

#include <QByteArrayView>
#include <QList>

namespace warplight::ui {

struct SyntaxColours;

/// PTX: directives, opcodes with their modifiers, registers, special registers, labels. Also the base of other lexers
/// of assembly, which have the same styles.
class PtxLexer : public QsciLexerCustom {
    Q_OBJECT
public:
    enum Style { Default, Comment, Directive, Opcode, Modifier, Register, SpecialRegister, Number, String, Label };

    explicit PtxLexer(QObject* parent = nullptr);

    void setLook(const SyntaxColours& colours, const QFont& font);

    const char* language() const override { return "PTX"; }
    QString description(int style) const override;
    const char* wordCharacters() const override;
    void styleText(int start, int end) override;

    struct Run {
        int length;
        int style;
    };
    /// The styles of a text that starts at the start of a line, `inComment` when a block comment is open there.
    static QList<Run> runs(QByteArrayView text, bool inComment = false);

protected:
    virtual QList<Run> runsOf(QByteArrayView text, bool inComment) const { return runs(text, inComment); }
};

} // namespace warplight::ui
