// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/function/attributes_model.hpp"

#include "ui/common/format.hpp"
#include "ui/common/icons.hpp"

#include <QCoreApplication>
#include <QFont>
#include <algorithm>

namespace warplight::ui {

namespace {

struct Known {
    const char* key;
    const char* name;
    bool bytes;
    const char* help;
};

/// The driver's function attributes by the names the device interface gives them, in the order of interest.
const Known knownAttributes[] = {
    {"num_regs", QT_TRANSLATE_NOOP("AttributesModel", "Registers a thread"), false,
     QT_TRANSLATE_NOOP("AttributesModel", "32-bit registers; the software device gives an estimate from the PTX")},
    {"shared_size_bytes", QT_TRANSLATE_NOOP("AttributesModel", "Static shared memory"), true,
     QT_TRANSLATE_NOOP("AttributesModel", "Per block; dynamic shared memory of the launch comes on top")},
    {"const_size_bytes", QT_TRANSLATE_NOOP("AttributesModel", "Constant memory"), true,
     QT_TRANSLATE_NOOP("AttributesModel", "User __constant__ variables of the module")},
    {"local_size_bytes", QT_TRANSLATE_NOOP("AttributesModel", "Local memory a thread"), true,
     QT_TRANSLATE_NOOP("AttributesModel", "Arrays and spilled registers")},
    {"max_threads_per_block", QT_TRANSLATE_NOOP("AttributesModel", "Most threads a block"), false,
     QT_TRANSLATE_NOOP("AttributesModel", "Limited by registers or __launch_bounds__")},
    {"max_dynamic_shared_size_bytes", QT_TRANSLATE_NOOP("AttributesModel", "Most dynamic shared memory"), true,
     QT_TRANSLATE_NOOP("AttributesModel", "What a launch of this function may ask for")},
    {"ptx_version", QT_TRANSLATE_NOOP("AttributesModel", "PTX compiled for"), false,
     QT_TRANSLATE_NOOP("AttributesModel", "Virtual architecture, major * 10 + minor")},
    {"binary_version", QT_TRANSLATE_NOOP("AttributesModel", "Binary compiled for"), false,
     QT_TRANSLATE_NOOP("AttributesModel", "Real architecture, major * 10 + minor")},
};

} // namespace

AttributesModel::AttributesModel(QObject* parent) : QAbstractItemModel(parent) {}

void AttributesModel::setResults(const session::Report* report, const compiler::KernelResources* resources,
                                 const QString& resourcesArch) {
    beginResetModel();
    groups_.clear();
    if (report && !report->function.empty()) {
        Group group{tr("Function on %1").arg(QString::fromStdString(report->device.name)), {}};
        auto rest = report->function;
        for (const Known& known : knownAttributes) {
            const auto found = rest.find(known.key);
            if (found == rest.end()) continue;
            group.rows.push_back(
                {QCoreApplication::translate("AttributesModel", known.name),
                 known.bytes ? formatBytes(quint64(std::max(0, found->second))) : QString::number(found->second),
                 QCoreApplication::translate("AttributesModel", known.help), false});
            rest.erase(found);
        }
        for (const auto& [key, value] : rest)
            group.rows.push_back({QString::fromStdString(key).replace(QLatin1Char('_'), QLatin1Char(' ')),
                                  QString::number(value),
                                  {},
                                  false});
        groups_.push_back(std::move(group));
    }
    if (report && report->occupancy) {
        const auto& occupancy = *report->occupancy;
        Group group{tr("Occupancy of the launch"), {}};
        group.rows.push_back({tr("Occupancy"), QStringLiteral("%1 %").arg(occupancy.occupancy * 100, 0, 'f', 0),
                              tr("Warps that can be resident at once, of the most a multiprocessor holds"), false});
        group.rows.push_back({tr("Warps a multiprocessor"),
                              tr("%1 of %2").arg(occupancy.warps_per_sm).arg(occupancy.max_warps_per_sm),
                              {},
                              false});
        group.rows.push_back({tr("Blocks a multiprocessor"), QString::number(occupancy.blocks_per_sm), {}, false});
        group.rows.push_back({tr("Limited by"), QString::fromStdString(occupancy.limiter),
                              tr("What would have to shrink for more blocks to be resident"), false});
        if (occupancy.suggested_block > 0)
            group.rows.push_back({tr("Suggested block"), tr("%1 threads").arg(occupancy.suggested_block),
                                  tr("The smallest block with the highest occupancy"), false});
        groups_.push_back(std::move(group));
    }
    if (resources) {
        Group group{resourcesArch.isEmpty() ? tr("ptxas") : tr("ptxas for %1").arg(resourcesArch), {}};
        const bool spills = resources->spill_loads > 0 || resources->spill_stores > 0;
        group.rows.push_back({tr("Registers a thread"), QString::number(resources->registers), {}, false});
        group.rows.push_back({tr("Spill stores"), formatBytes(resources->spill_stores),
                              spills ? tr("Registers did not suffice: values go through local memory") : QString(),
                              spills});
        group.rows.push_back({tr("Spill loads"), formatBytes(resources->spill_loads), {}, spills});
        group.rows.push_back({tr("Stack frame"), formatBytes(resources->stack), {}, false});
        group.rows.push_back({tr("Static shared memory"), formatBytes(resources->static_shared), {}, false});
        group.rows.push_back({tr("Constant bank 0"), formatBytes(resources->constant), tr("The parameters"), false});
        group.rows.push_back({tr("Barriers"), QString::number(resources->barriers), {}, false});
        groups_.push_back(std::move(group));
    }
    if (report && report->memory.total > 0) {
        const auto& memory = report->memory;
        Group group{tr("Device memory"), {}};
        group.rows.push_back(
            {tr("Arguments"), formatBytes(memory.allocated), tr("Allocated for the buffers of this run"), false});
        group.rows.push_back({tr("Free before"), formatBytes(memory.free_before), {}, false});
        group.rows.push_back({tr("Free after"), formatBytes(memory.free_after), {}, false});
        group.rows.push_back({tr("Total"), formatBytes(memory.total), {}, false});
        groups_.push_back(std::move(group));
    }
    endResetModel();
}

// The internal id of a group is 0, that of a row is its group's number + 1.
QModelIndex AttributesModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent)) return {};
    return createIndex(row, column, parent.isValid() ? quintptr(parent.row() + 1) : quintptr(0));
}

QModelIndex AttributesModel::parent(const QModelIndex& child) const {
    if (!child.isValid() || child.internalId() == 0) return {};
    return createIndex(int(child.internalId() - 1), 0, quintptr(0));
}

int AttributesModel::rowCount(const QModelIndex& parent) const {
    if (!parent.isValid()) return int(groups_.size());
    if (parent.internalId() != 0 || parent.column() != 0) return 0;
    return int(groups_[std::size_t(parent.row())].rows.size());
}

int AttributesModel::columnCount(const QModelIndex&) const { return ColumnCount; }

QVariant AttributesModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    if (index.internalId() == 0) {
        if (role == Qt::DisplayRole && index.column() == Name) return groups_[std::size_t(index.row())].name;
        if (role == Qt::FontRole) {
            QFont bold;
            bold.setBold(true);
            return bold;
        }
        return {};
    }
    const Row& row = groups_[index.internalId() - 1].rows[std::size_t(index.row())];
    switch (role) {
    case Qt::DisplayRole: return index.column() == Name ? row.name : row.value;
    case Qt::ToolTipRole: return row.help.isEmpty() ? QVariant() : row.help;
    case Qt::DecorationRole:
        return row.warn && index.column() == Value ? QVariant(icon(QStringLiteral("warning"))) : QVariant();
    case Qt::TextAlignmentRole:
        return index.column() == Value ? QVariant(int(Qt::AlignRight | Qt::AlignVCenter)) : QVariant();
    }
    return {};
}

QVariant AttributesModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole && section == Value) return int(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    return section == Name ? tr("Attribute") : tr("Value");
}

} // namespace warplight::ui
