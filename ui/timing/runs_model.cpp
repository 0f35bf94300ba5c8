// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timing/runs_model.hpp"

#include "ui/common/device_id.hpp"
#include "ui/common/format.hpp"
#include "ui/common/icons.hpp"
#include "ui/common/theme.hpp"
#include "ui/common/timing_words.hpp"

#include <QColor>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace warplight::ui {

TimingStatistics timingStatistics(std::vector<double> values) {
    TimingStatistics result;
    result.count = int(values.size());
    if (values.empty()) return result;
    std::sort(values.begin(), values.end());
    const auto n = values.size();
    result.min = values.front();
    result.max = values.back();
    result.mean = std::accumulate(values.begin(), values.end(), 0.0) / double(n);
    result.median = n % 2 ? values[n / 2] : 0.5 * (values[n / 2 - 1] + values[n / 2]);
    result.p95 = values[std::min(n - 1, std::size_t(std::ceil(0.95 * double(n))) - 1)];
    if (n > 1) {
        double squares = 0;
        for (double value : values)
            squares += (value - result.mean) * (value - result.mean);
        result.deviation = std::sqrt(squares / double(n - 1));
    }
    return result;
}

RunsModel::RunsModel(const Document& document, const Theme& theme, QObject* parent)
    : QAbstractTableModel(parent), document_(document), theme_(theme), count_(int(document.runs().size())) {}

int RunsModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : count_; }

int RunsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

const RunRecord& RunsModel::run(int row) const { return document_.runs()[std::size_t(count_ - 1 - row)]; }

void RunsModel::reload() {
    beginResetModel();
    count_ = int(document_.runs().size());
    endResetModel();
}

QVariant RunsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= count_) return {};
    const RunRecord& record = run(index.row());
    const auto& report = record.report;
    if (role == Qt::DecorationRole && index.column() == Number) return theme_.series(record.number - 1);
    if (role == Qt::TextAlignmentRole && index.column() != Kernel && index.column() != Device)
        return int(Qt::AlignRight | Qt::AlignVCenter);
    const bool doubtful = report.clocks && report.clocks->doubtful();
    if (doubtful && index.column() == Median) {
        if (role == Qt::DecorationRole) return icon(QStringLiteral("warning"), theme_.colours().warning);
        if (role == Qt::ToolTipRole) return clockDoubts(*report.clocks).join(QLatin1Char('\n'));
        if (role == Qt::AccessibleDescriptionRole) return clockDoubts(*report.clocks).join(QLatin1Char(' '));
    }
    if (role == Qt::ToolTipRole && report.error) return QString::fromStdString(report.error->message);
    if (role != Qt::DisplayRole) return {};
    const auto time = [](const std::vector<double>& values, double TimingStatistics::* member) -> QVariant {
        if (values.empty()) return QStringLiteral("–");
        return formatMs(timingStatistics(values).*member);
    };
    switch (index.column()) {
    case Number: return record.number;
    case When: return record.when.toString(QStringLiteral("HH:mm:ss"));
    case Kernel: return QString::fromStdString(report.kernel);
    case Device: return deviceOf(report);
    case Repeats:
        if (report.error) return tr("failed");
        return int(report.times.kernel_ms.size());
    case Median: return time(report.times.kernel_ms, &TimingStatistics::median);
    case Min: return time(report.times.kernel_ms, &TimingStatistics::min);
    case P95: return time(report.times.kernel_ms, &TimingStatistics::p95);
    case HostToDevice: return time(report.times.htod_ms, &TimingStatistics::median);
    case DeviceToHost: return time(report.times.dtoh_ms, &TimingStatistics::median);
    case Build: return report.compile.cached ? tr("cached") : formatMs(report.compile.ms);
    }
    return {};
}

QVariant RunsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole && section != Kernel && section != Device)
        return int(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole) {
        switch (section) {
        case Median: return tr("Median of the kernel's event times");
        case P95: return tr("95 % of the repeats took no longer");
        case HostToDevice: return tr("Median time of copying inputs to the device");
        case DeviceToHost: return tr("Median time of copying results back");
        case Build: return tr("Time to compile, or that the result was in the cache");
        default: return {};
        }
    }
    if (role != Qt::DisplayRole) return {};
    switch (section) {
    case Number: return tr("Run");
    case When: return tr("Time");
    case Kernel: return tr("Kernel");
    case Device: return tr("Device");
    case Repeats: return tr("Repeats");
    case Median: return tr("Median");
    case Min: return tr("Min");
    case P95: return tr("p95");
    case HostToDevice: return tr("Host → device");
    case DeviceToHost: return tr("Device → host");
    case Build: return tr("Build");
    }
    return {};
}

} // namespace warplight::ui
