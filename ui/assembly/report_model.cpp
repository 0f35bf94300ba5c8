// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/assembly/report_model.hpp"

#include "ui/common/format.hpp"

#include <QFont>

#include <algorithm>

namespace warplight::ui {

ReportModel::ReportModel(QObject* parent) : QAbstractTableModel(parent) {}

void ReportModel::setResources(const std::vector<compiler::KernelResources>& resources) {
    beginResetModel();
    rows_ = resources;
    endResetModel();
}

void ReportModel::setColours(const QColor& spill, const QColor& spillText) {
    spill_ = spill;
    spillText_ = spillText;
    if (rowCount()) emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

bool ReportModel::hasSpills() const {
    return std::any_of(rows_.begin(), rows_.end(), [](const auto& row) { return row.spill_stores || row.spill_loads; });
}

int ReportModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(rows_.size()); }
int ReportModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant ReportModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const compiler::KernelResources& row = rows_[size_t(index.row())];
    const QString name = QString::fromStdString(row.name.empty() ? row.lowered : row.name);
    const int column = index.column();
    qint64 value = 0;
    bool bytes = true;
    switch (column) {
    case Registers:
        value = row.registers;
        bytes = false;
        break;
    case SpillStores: value = qint64(row.spill_stores); break;
    case SpillLoads: value = qint64(row.spill_loads); break;
    case Shared: value = qint64(row.static_shared); break;
    case Constant: value = qint64(row.constant); break;
    case Stack: value = qint64(row.stack); break;
    case Barriers:
        value = row.barriers;
        bytes = false;
        break;
    default: break;
    }
    const bool spill = (column == SpillStores || column == SpillLoads) && value > 0;
    switch (role) {
    case Qt::DisplayRole:
        if (column == Kernel) return name;
        if (column == Barriers && value < 0) return QStringLiteral("–");
        if (value == 0) return QStringLiteral("0");
        return (bytes ? formatBytes(quint64(value)) : QString::number(value)) +
               (spill ? QStringLiteral(" ⚠") : QString());
    case SortRole: return column == Kernel ? QVariant(name) : QVariant(value);
    case SpillRole: return spill;
    case Qt::TextAlignmentRole: return int((column == Kernel ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::BackgroundRole: return spill && spill_.isValid() ? QVariant(spill_) : QVariant();
    case Qt::ForegroundRole: return spill && spillText_.isValid() ? QVariant(spillText_) : QVariant();
    case Qt::ToolTipRole:
        if (column == Kernel) return QString::fromStdString(row.lowered);
        if (spill)
            return tr("Registers did not suffice: %1 go through local memory. Fewer live values, a smaller block or "
                      "__launch_bounds__ help.")
                .arg(formatBytes(quint64(value)));
        return {};
    default: return {};
    }
}

QVariant ReportModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole)
        return int((section == Kernel ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role == Qt::DisplayRole) switch (section) {
        case Kernel: return tr("Kernel");
        case Registers: return tr("Registers");
        case SpillStores: return tr("Spill stores");
        case SpillLoads: return tr("Spill loads");
        case Shared: return tr("Shared");
        case Constant: return tr("Constant");
        case Stack: return tr("Stack");
        case Barriers: return tr("Barriers");
        default: return {};
        }
    if (role == Qt::ToolTipRole) switch (section) {
        case Registers: return tr("Registers a thread");
        case SpillStores:
        case SpillLoads: return tr("Bytes a thread that did not fit into registers");
        case Shared: return tr("Static shared memory a block");
        case Constant: return tr("Constant memory: the kernel's parameters");
        case Stack: return tr("Stack frame of a thread");
        case Barriers: return tr("Hardware barriers a block");
        default: return {};
        }
    return {};
}

} // namespace warplight::ui
