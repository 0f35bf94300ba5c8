// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "warplight/compiler.hpp"

#include <QList>
#include <QMap>
#include <QString>

#include <functional>

namespace warplight::ui {

/// A function of a PTX text, with its first and last line (from 1).
struct PtxFunction {
    QString name;
    bool kernel = false; ///< .entry
    int first = 0, last = 0;
};
/// All functions with a body.
QList<PtxFunction> ptxFunctions(const QString& ptx);

/// Which lines of a PTX text belong to which lines of one source file, and the colour both have.
class LineMap {
public:
    LineMap() = default;
    /// `isFile` tells whether a file name of the compiler is the source.
    LineMap(const std::vector<compiler::LineMapping>& lines, const std::function<bool(const QString&)>& isFile);

    bool isEmpty() const { return sourceOf_.isEmpty(); }
    QList<int> ptxLines(int sourceLine) const { return ptxOf_.value(sourceLine); }
    int sourceLine(int ptxLine) const { return sourceOf_.value(ptxLine, 0); } ///< 0 when there is none
    /// Line → number of its colour. Lines that belong together have the same number.
    const QMap<int, int>& sourceColours() const { return sourceColours_; }
    const QMap<int, int>& ptxColours() const { return ptxColours_; }

private:
    QMap<int, int> sourceOf_, sourceColours_, ptxColours_;
    QMap<int, QList<int>> ptxOf_;
};

} // namespace warplight::ui
