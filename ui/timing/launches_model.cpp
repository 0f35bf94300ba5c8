// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timing/launches_model.hpp"

#include "ui/common/format.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace warplight::ui {
namespace {

QString extentText(const std::array<unsigned, 3>& extent) {
    QString text = QString::number(extent[0]);
    if (extent[1] != 1 || extent[2] != 1) text += QStringLiteral(" × %1").arg(extent[1]);
    if (extent[2] != 1) text += QStringLiteral(" × %1").arg(extent[2]);
    return text;
}

} // namespace

void LaunchesModel::setLaunches(const std::vector<launch_log::Launch>& launches) {
    std::map<std::tuple<int, std::string, std::array<unsigned, 3>, std::array<unsigned, 3>>, std::size_t> places;
    std::map<std::pair<std::uint64_t, std::string>, quint64> ofKernel; ///< launches of a process until now
    std::vector<Row> rows;
    for (const launch_log::Launch& launch : launches) {
        const auto [place, added] =
            places.try_emplace({launch.device, launch.kernel, launch.grid, launch.block}, rows.size());
        if (added)
            rows.push_back({QString::fromStdString(launch.kernel),
                            extentText(launch.grid),
                            extentText(launch.block),
                            launch.device,
                            0,
                            0,
                            0,
                            0,
                            0,
                            {}});
        Row& row = rows[place->second];
        ++row.count;
        row.numbers.push_back(++ofKernel[{launch.process, launch.kernel}]);
        if (!launch.ms) continue;
        row.min = row.timed == 0 ? *launch.ms : std::min(row.min, *launch.ms);
        row.max = std::max(row.max, *launch.ms);
        row.total += *launch.ms;
        ++row.timed;
    }
    std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
        return std::tie(b.total, a.kernel, a.device) < std::tie(a.total, b.kernel, b.device);
    });
    beginResetModel();
    rows_ = std::move(rows);
    endResetModel();
}

int LaunchesModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(rows_.size()); }

int LaunchesModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant LaunchesModel::value(const Row& row, int column) const {
    switch (column) {
    case Kernel: return row.kernel;
    case Grid: return row.grid;
    case Block: return row.block;
    case Count: return row.count;
    case Device: return row.device;
    default: break;
    }
    if (row.timed == 0) return {};
    switch (column) {
    case Total: return row.total;
    case Mean: return row.total / double(row.timed);
    case Min: return row.min;
    case Max: return row.max;
    default: return {};
    }
}

QVariant LaunchesModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    QVariant held = value(rows_[std::size_t(index.row())], index.column());
    switch (role) {
    case Qt::DisplayRole:
        if (index.column() == Count) return formatCount(held.toLongLong());
        if (index.column() < Total || index.column() > Max) return held;
        return held.isValid() ? formatMs(held.toDouble()) : QStringLiteral("–");
    case Qt::TextAlignmentRole:
        return int((index.column() == Kernel ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::ToolTipRole: return index.column() == Kernel ? held : QVariant();
    case SortRole: return held;
    default: return {};
    }
}

QVariant LaunchesModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole)
        return int((section == Kernel ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    switch (section) {
    case Kernel: return tr("Kernel");
    case Grid: return tr("Grid");
    case Block: return tr("Block");
    case Count: return tr("Launches");
    case Total: return tr("Total");
    case Mean: return tr("Mean");
    case Min: return tr("Min");
    case Max: return tr("Max");
    case Device: return tr("Device");
    default: return {};
    }
}

} // namespace warplight::ui
