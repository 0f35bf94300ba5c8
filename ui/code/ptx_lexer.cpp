// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/code/ptx_lexer.hpp"

#include "ui/code/assembly_characters.hpp"
#include "ui/common/theme.hpp"

#include <Qsci/qsciscintilla.h>

namespace warplight::ui {

namespace {

// Registers as compilers number them (%r12, %rd3, %f1, %p2 …); any other % name is one of the machine's own.
bool isNumberedRegister(QByteArrayView name) {
    qsizetype i = 0;
    while (i < name.size() && !isDigit(name[i]))
        ++i;
    if (i == name.size()) return false;
    const QByteArrayView prefix = name.first(i);
    static constexpr const char* special[] = {"envreg", "pm", "reserved_smem_offset_"};
    for (const char* word : special)
        if (prefix == QByteArrayView(word)) return false;
    for (; i < name.size(); ++i)
        if (!isDigit(name[i])) return false;
    return true;
}

} // namespace

PtxLexer::PtxLexer(QObject* parent) : QsciLexerCustom(parent) {}

QString PtxLexer::description(int style) const {
    switch (style) {
    case Default: return tr("Default");
    case Comment: return tr("Comment");
    case Directive: return tr("Directive");
    case Opcode: return tr("Instruction");
    case Modifier: return tr("Modifier");
    case Register: return tr("Register");
    case SpecialRegister: return tr("Special register");
    case Number: return tr("Number");
    case String: return tr("String");
    case Label: return tr("Label");
    default: return {};
    }
}

const char* PtxLexer::wordCharacters() const {
    return "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$%.";
}

QList<PtxLexer::Run> PtxLexer::runs(QByteArrayView text, bool inComment) {
    QList<Run> result;
    qsizetype at = 0;
    const auto add = [&](qsizetype length, int style) {
        if (length <= 0) return;
        if (!result.isEmpty() && result.last().style == style)
            result.last().length += int(length);
        else
            result.append({int(length), style});
        at += length;
    };
    bool opcodeExpected = true; // an instruction follows the start of a statement, a label or a predicate
    const auto endOfComment = [&](qsizetype from) {
        const qsizetype end = text.sliced(from).indexOf("*/");
        return end < 0 ? text.size() : from + end + 2;
    };
    if (inComment) add(endOfComment(0), Comment);
    while (at < text.size()) {
        const char c = text[at];
        const QByteArrayView rest = text.sliced(at);
        if (rest.startsWith("//")) {
            const qsizetype end = rest.indexOf('\n');
            add(end < 0 ? rest.size() : end, Comment);
        } else if (rest.startsWith("/*")) {
            add(endOfComment(at + 2) - at, Comment);
        } else if (c == '"') {
            qsizetype end = 1;
            while (end < rest.size() && rest[end] != '"' && rest[end] != '\n')
                end += rest[end] == '\\' ? 2 : 1;
            add(std::min(end + 1, rest.size()), String);
        } else if (c == '.' && rest.size() > 1 && isWord(rest[1])) {
            qsizetype end = 1;
            while (end < rest.size() && isWord(rest[end]))
                ++end;
            add(end, result.isEmpty() || (result.last().style != Opcode && result.last().style != Modifier) ? Directive
                                                                                                            : Modifier);
            opcodeExpected = false;
        } else if (c == '%' && rest.size() > 1 && isWord(rest[1])) {
            qsizetype end = 1;
            while (end < rest.size() && isWord(rest[end]))
                ++end;
            const bool numbered = isNumberedRegister(rest.sliced(1, end - 1));
            if (!numbered && end + 1 < rest.size() && rest[end] == '.' &&
                QByteArrayView("xyzw").contains(rest[end + 1]))
                end += 2; // %tid.x
            add(end, numbered ? Register : SpecialRegister);
        } else if (isDigit(c)) {
            qsizetype end = 1;
            while (end < rest.size() &&
                   (isWord(rest[end]) || (rest[end] == '.' && end + 1 < rest.size() && isDigit(rest[end + 1]))))
                ++end;
            add(end, Number);
        } else if (isWord(c)) {
            qsizetype end = 1;
            while (end < rest.size() && (isWord(rest[end])))
                ++end;
            if (end < rest.size() && rest[end] == ':' && !rest.sliced(end).startsWith("::")) {
                add(end + 1, Label);
                opcodeExpected = true;
            } else if (c == '$') {
                add(end, Label);
            } else if (opcodeExpected) {
                add(end, Opcode);
                opcodeExpected = false;
            } else {
                add(end, Default);
            }
        } else {
            if (c == ';' || c == '{' || c == '}' || c == '\n') opcodeExpected = true;
            if (c == '@') opcodeExpected = true;
            add(1, Default);
        }
    }
    return result;
}

void PtxLexer::styleText(int start, int end) {
    QsciScintilla* view = editor();
    if (!view) return;
    // Whole lines only: the style of a word must not depend on where the request starts.
    const int line = int(view->SendScintilla(QsciScintilla::SCI_LINEFROMPOSITION, start));
    start = int(view->SendScintilla(QsciScintilla::SCI_POSITIONFROMLINE, line));
    const bool inComment = start > 0 && view->SendScintilla(QsciScintilla::SCI_GETSTYLEAT, start - 1) == Comment;
    if (end <= start) return;
    QByteArray text(end - start + 1, 0);
    view->SendScintilla(QsciScintilla::SCI_GETTEXTRANGE, static_cast<unsigned long>(start), static_cast<long>(end),
                        text.data());
    text.chop(1);
    // A line comment that ends a line leaves its style on the character before the newline only.
    startStyling(start);
    for (const Run& run : runsOf(text, inComment))
        setStyling(run.length, run.style);
}

void PtxLexer::setLook(const SyntaxColours& colours, const QFont& font) {
    setDefaultFont(font);
    setDefaultColor(colours.text);
    setDefaultPaper(colours.background);
    const QColor byStyle[] = {colours.text,   colours.comment,   colours.preprocessor, colours.keyword,
                              colours.type,   colours.operators, colours.builtin,      colours.number,
                              colours.string, colours.function};
    for (int style = Default; style <= Label; ++style) {
        setColor(byStyle[style], style);
        setPaper(colours.background, style);
        setFont(font, style);
        setEolFill(false, style);
    }
}

} // namespace warplight::ui
