// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/assembly/line_map.hpp"

#include <QRegularExpression>
#include <QStringList>

namespace warplight::ui {

QList<PtxFunction> ptxFunctions(const QString& ptx) {
    static const QRegularExpression head(QStringLiteral("\\.(entry|func)\\s+(?:\\([^)]*\\)\\s*)?([A-Za-z_$%][\\w$]*)"));
    QList<PtxFunction> result;
    PtxFunction open;
    bool pending = false;
    int depth = 0, number = 0;
    for (QStringView line : QStringView(ptx).split(QLatin1Char('\n'))) {
        ++number;
        const qsizetype comment = line.indexOf(QLatin1String("//"));
        const QStringView code = comment < 0 ? line : line.left(comment);
        if (depth == 0) {
            const QRegularExpressionMatch match = head.match(code.toString());
            if (match.hasMatch()) {
                open = {match.captured(2), match.captured(1) == QLatin1String("entry"), number, number};
                pending = true;
            }
        }
        for (QChar c : code) {
            if (c == QLatin1Char('{')) ++depth;
            // A declaration without a body; the parameter list of a definition has no semicolon.
            if (c == QLatin1Char(';') && depth == 0) pending = false;
            if (c != QLatin1Char('}') || depth == 0) continue;
            --depth;
            if (depth == 0 && pending) {
                open.last = number;
                result.append(open);
                pending = false;
            }
        }
    }
    return result;
}

LineMap::LineMap(const std::vector<compiler::LineMapping>& lines, const std::function<bool(const QString&)>& isFile) {
    QMap<QString, bool> known;
    for (const compiler::LineMapping& line : lines) {
        const QString file = QString::fromStdString(line.file);
        auto it = known.find(file);
        if (it == known.end()) it = known.insert(file, isFile(file));
        if (!it.value() || line.source_line <= 0 || line.ptx_line <= 0) continue;
        sourceOf_.insert(line.ptx_line, line.source_line);
    }
    for (auto it = sourceOf_.cbegin(); it != sourceOf_.cend(); ++it)
        ptxOf_[it.value()].append(it.key());
    int colour = 0;
    for (auto it = ptxOf_.cbegin(); it != ptxOf_.cend(); ++it, ++colour) {
        sourceColours_.insert(it.key(), colour);
        for (int ptx : it.value())
            ptxColours_.insert(ptx, colour);
    }
}

} // namespace warplight::ui
