// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/run_difference.hpp"
#include "ui/versions/version_view.hpp"

#include <algorithm>

namespace warplight::ui {
namespace {

/// Where a line begins in the text; its end for lines that it has not.
qsizetype beginOfLine(const QString& text, int line) {
    qsizetype at = 0;
    for (; line > 0 && at < text.size(); --line) {
        const qsizetype end = text.indexOf(QLatin1Char('\n'), at);
        at = end < 0 ? text.size() : end + 1;
    }
    return at;
}

QString linesOf(const QString& text, int first, int count) {
    const qsizetype begin = beginOfLine(text, first);
    return text.mid(begin, beginOfLine(text, first + count) - begin);
}

} // namespace

QList<TextChange> changesBetween(const QString& present, const QString& other) {
    QList<TextChange> changes;
    int presentLine = 0, otherLine = 0;
    bool inChange = false;
    for (const history::Line& line : history::line_difference(other.toStdString(), present.toStdString())) {
        const bool same = line.kind == history::Line::Kind::same;
        if (!same && !inChange) changes << TextChange{presentLine, 0, otherLine, 0};
        inChange = !same;
        if (line.kind != history::Line::Kind::added) ++otherLine;
        if (line.kind != history::Line::Kind::removed) ++presentLine;
        if (same) continue;
        TextChange& change = changes.last();
        change.presentCount = presentLine - change.present;
        change.otherCount = otherLine - change.other;
    }
    return changes;
}

QString withTakenOver(const QString& present, const QString& other, const TextChange& change) {
    const qsizetype begin = beginOfLine(present, change.present);
    const qsizetype end = beginOfLine(present, change.present + change.presentCount);
    QString lines = linesOf(other, change.other, change.otherCount);
    if (!present.contains(QLatin1String("\r\n"))) lines.replace(QLatin1String("\r\n"), QLatin1String("\n"));
    const QLatin1Char newline('\n');
    // The last line of a text may have no end.
    if (!lines.isEmpty() && !lines.endsWith(newline) && end < present.size()) lines += newline;
    if (!lines.isEmpty() && begin == present.size() && begin > 0 && !present.endsWith(newline)) lines.prepend(newline);
    return present.left(begin) + lines + present.mid(end);
}

int besideLine(const QList<TextChange>& changes, int line, bool back) {
    int shift = 0; // of the lines below the last change above
    for (const TextChange& each : changes) {
        const int begin = back ? each.other : each.present, count = back ? each.otherCount : each.presentCount;
        const int there = back ? each.present : each.other, thereCount = back ? each.presentCount : each.otherCount;
        if (line < begin) break;
        if (line < begin + count) return there + std::min(line - begin, std::max(0, thereCount - 1));
        shift = there + thereCount - (begin + count);
    }
    return line + shift;
}

} // namespace warplight::ui
