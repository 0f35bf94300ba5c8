// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep/sweep_model.hpp"

#include "ui/common/format.hpp"
#include "ui/common/icons.hpp"
#include "ui/common/theme.hpp"
#include "ui/common/timing_words.hpp"
#include "ui/sweep/sweep_words.hpp"

#include <QFont>
#include <algorithm>
#include <utility>

namespace warplight::ui {
namespace {

using session::PointState;
using session::Standing;
using session::SweepPointResult;

/// "32x8" sorts by its numbers, other texts by their letters.
QVariant orderOf(const std::string& value) {
    const QString text = QString::fromStdString(value);
    double key = 0;
    const QStringList parts = text.split(QLatin1Char('x'));
    for (qsizetype i = 0; i < 3; ++i) {
        bool isNumber = true;
        const double number = i < parts.size() ? parts[i].toDouble(&isNumber) : 1;
        if (!isNumber) return text;
        key = key * 1e6 + number;
    }
    return parts.size() > 3 ? QVariant(text) : QVariant(key);
}

QString percentOf(double part) { return QStringLiteral("%1 %").arg(100 * part, 0, 'f', 1); }

bool hasTime(const SweepPointResult& point) { return point.median_ms > 0 && point.state != PointState::wrong; }

} // namespace

SweepModel::SweepModel(const Theme& theme, QObject* parent) : QAbstractTableModel(parent), theme_(theme) {}

void SweepModel::setReport(std::shared_ptr<session::SweepReport> report) {
    beginResetModel();
    report_ = std::move(report);
    makeColumns();
    endResetModel();
}

void SweepModel::setPoint(std::size_t index, const SweepPointResult& point) {
    if (!report_ || index >= report_->points.size()) return;
    report_->points[index] = point;
    emit dataChanged(this->index(int(index), 0), this->index(int(index), columnCount() - 1));
}

void SweepModel::makeColumns() {
    columns_.clear();
    if (!report_) return;
    const auto point = [this](std::size_t i) -> const SweepPointResult& { return report_->points[i]; };
    for (std::size_t axis = 0; axis < report_->axes.size(); ++axis)
        columns_.push_back({titleOf(report_->axes[axis].name), QString::fromStdString(report_->axes[axis].name), false,
                            [=](std::size_t i) { return shownValue(point(i).values[axis]); },
                            [=](std::size_t i) { return orderOf(point(i).values[axis]); }});
    const auto add = [&](const QString& title, const QString& tip, auto there, auto value, auto format) {
        columns_.push_back(
            {title, tip, true, [=](std::size_t i) { return there(point(i)) ? format(value(point(i))) : QString(); },
             [=](std::size_t i) { return there(point(i)) ? QVariant(double(value(point(i)))) : QVariant(); }});
    };
    const auto measured = [](const SweepPointResult& p) { return p.runs() > 0; };
    add(
        tr("Median"), tr("Median of the kernel's times, of all rounds"), hasTime,
        [](const SweepPointResult& p) { return p.median_ms; }, formatMs);
    columns_.push_back({tr("95 % of it"), tr("Where the median lies, with 95 % confidence"), true,
                        [=](std::size_t i) {
                            const auto& interval = point(i).interval_ms;
                            return interval.high > 0
                                       ? tr("%1 … %2").arg(formatMs(interval.low), formatMs(interval.high))
                                       : QString();
                        },
                        [=](std::size_t i) {
                            const auto& interval = point(i).interval_ms;
                            return interval.high > 0 ? QVariant(interval.high - interval.low) : QVariant();
                        }});
    add(
        tr("Of the best"), tr("The time as a multiple of the best one's: the mean of the rounds' ratios"),
        [](const SweepPointResult& p) { return p.against_best.has_value() && p.state != PointState::wrong; },
        [](const SweepPointResult& p) { return p.against_best->ratio; },
        [](double ratio) { return QStringLiteral("%1 ×").arg(ratio, 0, 'f', ratio < 10 ? 3 : 1); });
    const auto any = [&](auto condition) { return std::ranges::any_of(report_->points, condition); };
    const auto hasBytes = [](const SweepPointResult& p) { return p.figures.bytes.has_value() && hasTime(p); };
    const auto hasOperations = [](const SweepPointResult& p) { return p.figures.operations.has_value() && hasTime(p); };
    const auto hasWaves = [](const SweepPointResult& p) { return p.figures.waves > 0; };
    const auto twoDigits = [](double value) { return QString::number(value, 'f', 2); };
    if (any(hasBytes))
        add(
            tr("GB/s"), tr("Bytes of a launch in the median time"), hasBytes,
            [](const SweepPointResult& p) { return p.figures.gigabytes_a_second; }, twoDigits);
    const auto memoryPeak = [=](const SweepPointResult& p) { return hasBytes(p) && p.figures.memory_peak > 0; };
    if (any(memoryPeak))
        add(
            tr("Of peak"), tr("Part of the peak of memory of %1").arg(QString::fromStdString(report_->gpu)), memoryPeak,
            [](const SweepPointResult& p) { return p.figures.part_of_memory_peak; }, percentOf);
    if (any(hasOperations))
        add(
            tr("GFLOP/s"), tr("Operations of a launch in the median time"), hasOperations,
            [](const SweepPointResult& p) { return p.figures.gigaflops; }, twoDigits);
    const auto peak = [=](const SweepPointResult& p) { return hasOperations(p) && p.figures.peak > 0; };
    if (any(peak))
        add(
            tr("Of peak"), tr("Part of the peak of arithmetic of %1").arg(QString::fromStdString(report_->gpu)), peak,
            [](const SweepPointResult& p) { return p.figures.part_of_peak; }, percentOf);
    if (any(hasWaves)) {
        add(
            tr("Waves"), tr("Blocks by the blocks that fit the device at once"), hasWaves,
            [](const SweepPointResult& p) { return p.figures.waves; }, twoDigits);
        add(
            tr("Tail"), tr("Part of the places for blocks that stays empty in the last wave"), hasWaves,
            [](const SweepPointResult& p) { return p.figures.tail; }, percentOf);
    }
    const auto hasRegisters = [](const SweepPointResult& p) { return p.registers > 0; };
    if (any(hasRegisters))
        add(
            tr("Registers"), tr("Of a thread"), hasRegisters, [](const SweepPointResult& p) { return p.registers; },
            [](double count) { return formatCount(qint64(count)); });
    add(
        tr("Runs"), tr("That were measured"), measured, [](const SweepPointResult& p) { return double(p.runs()); },
        [](double count) { return formatCount(qint64(count)); });
    add(
        tr("Outliers"), tr("Runs far from the others. They are counted, not removed."), measured,
        [](const SweepPointResult& p) { return double(p.outliers); },
        [](double count) { return formatCount(qint64(count)); });
    if (any([](const SweepPointResult& p) { return !p.node.empty(); }))
        columns_.push_back({tr("Node"), tr("The machine that a task has measured it on"), false,
                            [=](std::size_t i) { return QString::fromStdString(point(i).node); },
                            [=](std::size_t i) { return orderOf(point(i).node); }});
    columns_.push_back({tr("Result"), tr("The best point, how others compare with it, and why a point has no time"),
                        false, [this](std::size_t i) { return verdict(*report_, i); },
                        [this](std::size_t i) { return QVariant(verdict(*report_, i)); }});
}

int SweepModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !report_ ? 0 : int(report_->points.size());
}

int SweepModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(columns_.size()); }

QVariant SweepModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const auto row = std::size_t(index.row());
    const Column& column = columns_[std::size_t(index.column())];
    const Colours& colours = theme_.colours();
    switch (role) {
    case Qt::DisplayRole: return column.text(row);
    case SortRole: return column.order(row);
    case PointRole: return qulonglong(row);
    case Qt::TextAlignmentRole: return int((column.isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case Qt::ToolTipRole: {
        QStringList lines{verdict(*report_, row)};
        if (const auto& clocks = report_->points[row].clocks)
            lines << QStringList(clocksText(*clocks)) << clockDoubts(*clocks);
        if (const auto& empty = report_->points[row].empty_launch)
            lines << tr("An empty launch takes %1.").arg(formatMs(empty->ms));
        lines.removeAll(QString());
        return lines.join(QLatin1Char('\n'));
    }
    case Qt::DecorationRole:
        if (report_->points[row].has_doubtful_clocks() && index.column() == timeColumn())
            return icon(QStringLiteral("warning"), colours.warning);
        return report_->best == row && index.column() == timeColumn() ? QVariant(icon(QStringLiteral("success")))
                                                                      : QVariant();
    case Qt::FontRole:
        if (report_->best == row) {
            QFont font;
            font.setBold(true);
            return font;
        }
        return {};
    case Qt::BackgroundRole: {
        const auto standing = session::standing_of(*report_, row);
        if (standing == Standing::best) return colours.successSoft;
        if (standing == Standing::indistinguishable) return colours.accentSoft;
        return {};
    }
    case Qt::ForegroundRole: {
        const auto state = report_->points[row].state;
        if (state == PointState::failed || state == PointState::wrong)
            return index.column() == columnCount() - 1 ? colours.error : colours.mutedText;
        return {};
    }
    default: return {};
    }
}

QVariant SweepModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
    const Column& column = columns_[std::size_t(section)];
    if (role == Qt::DisplayRole) return column.title;
    if (role == Qt::ToolTipRole) return column.tip;
    if (role == Qt::TextAlignmentRole)
        return int((column.isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    return {};
}

SweepOrder::SweepOrder(QObject* parent) : QSortFilterProxyModel(parent) { setSortRole(SweepModel::SortRole); }

bool SweepOrder::lessThan(const QModelIndex& left, const QModelIndex& right) const {
    const QVariant a = left.data(SweepModel::SortRole), b = right.data(SweepModel::SortRole);
    if (a.isValid() != b.isValid()) return a.isValid() == (sortOrder() == Qt::AscendingOrder);
    if (a.typeId() == QMetaType::Double && b.typeId() == QMetaType::Double) return a.toDouble() < b.toDouble();
    return QString::localeAwareCompare(a.toString(), b.toString()) < 0;
}

} // namespace warplight::ui
