// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/indentation.hpp"

#include <QRegularExpression>

namespace warplight::ui {
namespace {

int columnsOf(const QString& line, int tab) {
    int columns = 0;
    for (const QChar c : line) {
        if (c == QLatin1Char(' '))
            ++columns;
        else if (c == QLatin1Char('\t'))
            columns += tab - columns % tab;
        else
            break;
    }
    return columns;
}

/// The line without comments and with empty strings, for the rules below. `inComment` carries over to the next line.
QString codeOf(const QString& line, bool& inComment) {
    QString code;
    QChar quote;
    for (qsizetype i = 0; i < line.size(); ++i) {
        const QChar c = line[i], next = i + 1 < line.size() ? line[i + 1] : QChar();
        if (inComment) {
            if (c == QLatin1Char('*') && next == QLatin1Char('/')) inComment = false, ++i;
        } else if (!quote.isNull()) {
            if (c == QLatin1Char('\\'))
                ++i;
            else if (c == quote) {
                code += quote;
                quote = QChar();
            }
        } else if (c == QLatin1Char('/') && next == QLatin1Char('/')) {
            break;
        } else if (c == QLatin1Char('/') && next == QLatin1Char('*')) {
            inComment = true, ++i;
        } else {
            if (c == QLatin1Char('"') || c == QLatin1Char('\'')) quote = c;
            code += c;
        }
    }
    return code.trimmed();
}

/// `if (…)`, `else`, `for (…)`: the statement comes on the next line.
bool wantsStatement(const QString& code) {
    static const QRegularExpression alone(QStringLiteral("(^|[;{}]\\s*|\\belse\\s*)(else|do)$"));
    if (alone.match(code).hasMatch()) return true;
    static const QRegularExpression head(
        QStringLiteral("^(\\}\\s*)?(else\\s+)?(if|for|while)\\b(\\s+constexpr)?\\s*\\("));
    const QRegularExpressionMatch match = head.match(code);
    if (!match.hasMatch() || !code.endsWith(QLatin1Char(')'))) return false;
    // The last parenthesis is the one that closes the head: `if (n) return f(x)` has another.
    int depth = 0;
    for (qsizetype i = match.capturedEnd() - 1; i < code.size(); ++i) {
        if (code[i] == QLatin1Char('(')) ++depth;
        if (code[i] == QLatin1Char(')') && --depth == 0) return i + 1 == code.size();
    }
    return false;
}

} // namespace

int indentationAfter(const QStringList& lines, int width) {
    QStringList codes;
    bool inComment = false;
    for (const QString& line : lines)
        codes << codeOf(line, inComment);
    const auto before = [&](qsizetype i) {
        while (i >= 0 && lines[i].trimmed().isEmpty())
            --i;
        return i;
    };
    const qsizetype last = before(lines.size() - 1);
    if (last < 0) return 0;
    const int columns = columnsOf(lines[last], width);
    if (inComment) return columns;
    const QString& code = codes[last];
    if (code.endsWith(QLatin1Char('{')) || wantsStatement(code)) return columns + width;
    // The statement of an `if` without braces is over: back to where that began, and those around it.
    int back = columns;
    if (code.endsWith(QLatin1Char(';')))
        for (qsizetype i = before(last - 1); i >= 0 && wantsStatement(codes[i]) && columnsOf(lines[i], width) < back;
             i = before(i - 1))
            back = columnsOf(lines[i], width);
    return back;
}

} // namespace warplight::ui
