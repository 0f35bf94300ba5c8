// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QList>
#include <QObject>
#include <QString>

namespace warplight::ui {

struct OutputLine {
    enum Kind { Printed, PrintedError, Typed, Build, Worker, Failure };
    static constexpr int kinds = Failure + 1;
    Kind kind = Printed;
    QDateTime when;
    QString text;
};

/// The last lines of output. Text may come in any pieces: an unfinished line waits for its end or for `finish`.
class OutputLog : public QObject {
    Q_OBJECT
public:
    explicit OutputLog(QObject* parent = nullptr);

    void append(OutputLine::Kind kind, const QString& text);
    void finish();
    void clear();
    const QList<OutputLine>& lines() const { return lines_; }
    /// The number of lines dropped at the limit.
    qint64 dropped() const { return dropped_; }
    int limit() const { return limit_; }
    void setLimit(int lines);

    static constexpr int defaultLimit = 20000;
    static constexpr int longestLine = 4096; ///< characters; a longer one is broken

signals:
    void added(const warplight::ui::OutputLine& line);
    void cleared();

private:
    void add(OutputLine::Kind kind, const QString& text);

    QList<OutputLine> lines_;
    QString partial_[OutputLine::kinds];
    int limit_ = defaultLimit;
    qint64 dropped_ = 0;
};

} // namespace warplight::ui
