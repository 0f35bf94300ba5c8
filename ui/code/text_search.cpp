// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/code/text_search.hpp"

namespace warplight::ui {

TextSearch::TextSearch(const QString& pattern, SearchOptions options)
    : empty_(pattern.isEmpty()), groups_(options.regularExpression) {
    QString text = options.regularExpression ? pattern : QRegularExpression::escape(pattern);
    if (options.wholeWord) text = QStringLiteral("(?<!\\w)(?:%1)(?!\\w)").arg(text);
    QRegularExpression::PatternOptions flags = QRegularExpression::MultilineOption;
    if (!options.caseSensitive) flags |= QRegularExpression::CaseInsensitiveOption;
    expression_ = QRegularExpression(text, flags);
}

QString TextSearch::problem() const { return empty_ || expression_.isValid() ? QString() : expression_.errorString(); }

namespace {

QString expand(const QString& replacement, const QRegularExpressionMatch& match) {
    QString result;
    for (qsizetype i = 0; i < replacement.size(); ++i) {
        const QChar c = replacement[i];
        if (c != QLatin1Char('\\') || i + 1 == replacement.size()) {
            result += c;
            continue;
        }
        const QChar next = replacement[++i];
        if (next.isDigit())
            result += match.captured(next.digitValue());
        else if (next == QLatin1Char('n'))
            result += QLatin1Char('\n');
        else if (next == QLatin1Char('t'))
            result += QLatin1Char('\t');
        else
            result += next;
    }
    return result;
}

} // namespace

QList<SearchMatch> TextSearch::matches(const QString& text, const QString& replacement) const {
    QList<SearchMatch> result;
    if (!isValid()) return result;
    qsizetype seen = 0; // characters counted so far
    qint64 bytes = 0;   // and their bytes
    QRegularExpressionMatchIterator it = expression_.globalMatch(text);
    while (it.hasNext() && result.size() < maximum) {
        const QRegularExpressionMatch match = it.next();
        if (match.capturedLength() == 0) continue;
        bytes += QStringView(text).mid(seen, match.capturedStart() - seen).toUtf8().size();
        const qsizetype length = match.capturedView().toUtf8().size();
        result.append({int(bytes), int(length), groups_ ? expand(replacement, match) : replacement});
        bytes += length;
        seen = match.capturedEnd();
    }
    return result;
}

} // namespace warplight::ui
