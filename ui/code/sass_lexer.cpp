// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/code/sass_lexer.hpp"

#include "ui/code/assembly_characters.hpp"

#include <algorithm>

namespace warplight::ui {
namespace {

/// R12, UR4, P0, UP1, B0, SB0, and their zeros and trues RZ, URZ, PT, UPT.
bool isRegister(QByteArrayView word) {
    for (const char* prefix : {"UR", "UP", "SB", "R", "P", "B"}) {
        const QByteArrayView start(prefix);
        if (!word.startsWith(start) || word.size() == start.size()) continue;
        const QByteArrayView rest = word.sliced(start.size());
        if (rest == QByteArrayView("Z") || rest == QByteArrayView("T")) return true;
        if (std::all_of(rest.begin(), rest.end(), isDigit)) return true;
    }
    return false;
}

} // namespace

QList<PtxLexer::Run> SassLexer::sassRuns(QByteArrayView text) {
    QList<Run> result;
    qsizetype at = 0;
    const auto add = [&](qsizetype length, int style) {
        if (!result.isEmpty() && result.last().style == style)
            result.last().length += int(length);
        else
            result.append({int(length), style});
        at += length;
    };
    bool opcodeExpected = true;
    while (at < text.size()) {
        const char c = text[at];
        const QByteArrayView rest = text.sliced(at);
        const bool startsLine = at == 0 || text[at - 1] == '\n';
        qsizetype end = 1;
        if (rest.startsWith("/*")) {
            const qsizetype close = rest.indexOf("*/");
            add(close < 0 ? rest.size() : close + 2, Comment);
        } else if (startsLine && (isWord(c) || c == '.') &&
                   rest.first(std::max<qsizetype>(rest.indexOf('\n'), 0)).endsWith(':')) {
            add(rest.indexOf('\n'), Label);
        } else if (c == '@') {
            while (end < rest.size() && (isWord(rest[end]) || rest[end] == '!'))
                ++end;
            add(end, SpecialRegister);
        } else if (c == '`') {
            const qsizetype close = rest.indexOf(')');
            const qsizetype line = rest.indexOf('\n');
            add(close < 0 || (line >= 0 && line < close) ? 1 : close + 1, Label);
        } else if (c == '.' && end < rest.size() && isWord(rest[end])) {
            while (end < rest.size() && isWord(rest[end]))
                ++end;
            add(end, Modifier);
        } else if (isDigit(c)) {
            while (end < rest.size() &&
                   (isWord(rest[end]) || (rest[end] == '.' && end + 1 < rest.size() && isDigit(rest[end + 1]))))
                ++end;
            add(end, Number);
        } else if (isWord(c)) {
            while (end < rest.size() && isWord(rest[end]))
                ++end;
            const QByteArrayView word = rest.first(end);
            if (opcodeExpected)
                add(end, Opcode);
            else
                add(end, word.startsWith("SR_") ? SpecialRegister : isRegister(word) ? Register : Default);
            opcodeExpected = false;
        } else {
            if (c == '\n') opcodeExpected = true;
            add(1, Default);
        }
    }
    return result;
}

} // namespace warplight::ui
