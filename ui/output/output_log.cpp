// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/output/output_log.hpp"

#include <algorithm>

namespace warplight::ui {

OutputLog::OutputLog(QObject* parent) : QObject(parent) {}

void OutputLog::add(OutputLine::Kind kind, const QString& text) {
    lines_.append({kind, QDateTime::currentDateTime(), text});
    if (lines_.size() > limit_) {
        // An eighth at once: removing from the front of a list moves the rest.
        const qsizetype surplus = lines_.size() - limit_ + limit_ / 8;
        lines_.remove(0, std::min(surplus, lines_.size() - 1));
        dropped_ += surplus;
    }
    emit added(lines_.last());
}

void OutputLog::append(OutputLine::Kind kind, const QString& text) {
    QString& partial = partial_[kind];
    partial += text;
    qsizetype start = 0;
    for (;;) {
        qsizetype end = partial.indexOf(QLatin1Char('\n'), start);
        qsizetype next = end + 1;
        if (end < 0) {
            if (partial.size() - start <= longestLine) break;
            next = end = start + longestLine;
        } else if (end - start > longestLine) {
            next = end = start + longestLine;
        }
        QString line = partial.mid(start, end - start);
        if (line.endsWith(QLatin1Char('\r'))) line.chop(1);
        add(kind, line);
        start = next;
    }
    partial.remove(0, start);
}

void OutputLog::finish() {
    for (int kind = 0; kind < OutputLine::kinds; ++kind) {
        if (partial_[kind].isEmpty()) continue;
        const QString rest = partial_[kind];
        partial_[kind].clear();
        add(OutputLine::Kind(kind), rest);
    }
}

void OutputLog::clear() {
    lines_.clear();
    for (QString& partial : partial_)
        partial.clear();
    dropped_ = 0;
    emit cleared();
}

void OutputLog::setLimit(int lines) { limit_ = std::max(1, lines); }

} // namespace warplight::ui
