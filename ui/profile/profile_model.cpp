// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/profile_model.hpp"

#include "ui/common/format.hpp"
#include "ui/profile/figures_text.hpp"

#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace warplight::ui {

namespace {

QString ofIdeal(quint64 is, quint64 ideal, quint64 requests) {
    return requests == 0 ? QString() : meanText(is, requests) + QStringLiteral(" / ") + meanText(ideal, requests);
}

double mean(quint64 sum, quint64 count) { return count == 0 ? -1 : double(sum) / double(count); }

} // namespace

void ProfileModel::setRows(std::vector<Row> rows, bool ofInstructions) {
    beginResetModel();
    rows_ = std::move(rows);
    ofInstructions_ = ofInstructions;
    cost_ = 0;
    for (const Row& row : rows_)
        cost_ += profile::cost_of(row.figures);
    manyFiles_ = std::any_of(rows_.begin(), rows_.end(),
                             [this](const Row& row) { return !row.file.isEmpty() && row.file != rows_.front().file; });
    endResetModel();
}

void ProfileModel::setLines(const profile::Profile& profile, const TextOfLine& textOf) {
    std::vector<Row> rows;
    for (const profile::Line& each : profile.lines()) {
        const QString file = QString::fromStdString(each.file);
        rows.push_back({file, textOf(file, each.line), each.line, 0, {}, each.figures});
    }
    setRows(std::move(rows), false);
}

void ProfileModel::setInstructions(const profile::Profile& profile, const TextOfLine& textOf) {
    std::vector<Row> rows;
    for (const profile::Instruction& each : profile.instructions) {
        const QString file = QString::fromStdString(each.place.file);
        rows.push_back({file, file.isEmpty() ? QString() : textOf(file, each.place.line), each.place.line,
                        each.ptx_line, QString::fromStdString(each.opcode), each.figures});
    }
    setRows(std::move(rows), true);
}

void ProfileModel::clear() { setRows({}, ofInstructions_); }

void ProfileModel::setCodeFont(const QFont& font) {
    codeFont_ = font;
    if (!rows_.empty()) emit dataChanged(index(0, Text), index(rowCount() - 1, Text), {Qt::FontRole});
}

int ProfileModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(rows_.size()); }

int ProfileModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QString ProfileModel::place(const Row& row) const {
    if (row.file.isEmpty()) return {};
    return manyFiles_ ? QStringLiteral("%1:%2").arg(QFileInfo(row.file).fileName()).arg(row.line)
                      : QString::number(row.line);
}

QString ProfileModel::display(const Row& row, int column) const {
    const profile::Figures& f = row.figures;
    switch (column) {
    case Line: return place(row);
    case Text:
        return row.opcode.isEmpty() ? row.source.trimmed() : QStringLiteral("%1  %2").arg(row.ptxLine).arg(row.opcode);
    case Cost:
        return cost_ == 0 ? QString() : tr("%1 %").arg(100.0 * double(profile::cost_of(f)) / double(cost_), 0, 'f', 1);
    case Executions: return formatCount(qint64(f.executions));
    case Threads: return meanText(f.active_lanes, f.executions);
    case Divergent: return f.divergent_branches ? formatCount(qint64(f.divergent_branches)) : QString();
    case Sectors: return ofIdeal(f.sectors, f.sectors_ideal, f.requests);
    case Wavefronts: return ofIdeal(f.wavefronts, f.wavefronts_ideal, f.shared_requests);
    case Bytes: return f.bytes ? formatBytes(f.bytes) : QString();
    case Operations: return allOperations(f) ? formatCount(qint64(allOperations(f))) : QString();
    default: return {};
    }
}

QVariant ProfileModel::sortValue(const Row& row, int column) const {
    const profile::Figures& f = row.figures;
    switch (column) {
    case Line: return row.file + QStringLiteral(":%1").arg(row.line, 9);
    case Text: return row.opcode.isEmpty() ? QVariant(row.source.trimmed()) : QVariant(row.ptxLine);
    case Cost: return quint64(profile::cost_of(f));
    case Executions: return quint64(f.executions);
    case Threads: return mean(f.active_lanes, f.executions);
    case Divergent: return quint64(f.divergent_branches);
    case Sectors: return mean(f.sectors, f.requests);
    case Wavefronts: return mean(f.wavefronts, f.shared_requests);
    case Bytes: return quint64(f.bytes);
    case Operations: return allOperations(f);
    default: return {};
    }
}

QVariant ProfileModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const Row& row = rows_[std::size_t(index.row())];
    switch (role) {
    case Qt::DisplayRole: return display(row, index.column());
    case Qt::TextAlignmentRole:
        return int((index.column() == Text ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::FontRole: return index.column() == Text ? QVariant(codeFont_) : QVariant();
    case Qt::ToolTipRole:
        return row.source.trimmed().isEmpty() ? figuresText(row.figures)
                                              : row.source.trimmed() + QLatin1Char('\n') + figuresText(row.figures);
    case SortRole: return sortValue(row, index.column());
    case FileRole: return row.file;
    case LineRole: return row.file.isEmpty() ? 0 : row.line;
    case SourceRole: return row.source;
    default: return {};
    }
}

QVariant ProfileModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole)
        return int((section == Text ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    const bool name = role == Qt::DisplayRole;
    if (!name && role != Qt::ToolTipRole) return {};
    switch (section) {
    case Line: return name ? tr("Line") : tr("The line of the source that the instructions were written in.");
    case Text:
        if (ofInstructions_) return name ? tr("Instruction") : tr("The line of the PTX, and the instruction there.");
        return name ? tr("Source") : tr("The line as it was when the kernel ran.");
    case Cost:
        return name ? tr("Cost")
                    : tr("Share of the kernel's executions, sectors and wavefronts; a sector or a wavefront counts as "
                         "%1 "
                         "executions. This is work, not time.")
                          .arg(profile::kSectorCost);
    case Executions: return name ? tr("Executions") : tr("Times that a warp executed an instruction of the line.");
    case Threads: return name ? tr("Threads") : tr("Threads of a warp that took part, on average. At most 32.");
    case Divergent:
        return name ? tr("Divergent") : tr("Executions of a branch from which the threads of a warp went two ways.");
    case Sectors:
        return name ? tr("Sectors")
                    : tr("32-byte sectors of global memory that an access of a warp touches / the fewest possible.");
    case Wavefronts:
        return name ? tr("Wavefronts")
                    : tr("Passes through the banks of shared memory that an access of a warp takes / the fewest "
                         "possible.");
    case Bytes: return name ? tr("Bytes") : tr("Bytes that threads asked global memory for.");
    case Operations:
        return name
                   ? tr("Operations")
                   : tr("Arithmetic operations of all threads, of floating point and of integers. A fused multiply-add "
                        "is two.");
    default: return {};
    }
}

} // namespace warplight::ui
