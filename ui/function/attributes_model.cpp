// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/function/attributes_model.hpp"

#include "ui/common/format.hpp"
#include "ui/common/icons.hpp"

#include <QCoreApplication>
#include <QFont>
#include <algorithm>

namespace warplight::ui {

namespace {

enum class Unit { Number, Registers, Threads, Blocks, Bytes, Version, YesNo, Percent, Scheduling };

struct Known {
    const char* key;
    const char* name;
    Unit unit;
    const char* help;
};

QString valueText(Unit unit, int value) {
    const auto tr = [](const char* text) { return QCoreApplication::translate("warplight::ui", text); };
    switch (unit) {
    case Unit::Bytes: return formatBytes(quint64(std::max(0, value)));
    case Unit::Version: return QStringLiteral("%1.%2").arg(value / 10).arg(value % 10);
    case Unit::YesNo: return value ? tr("yes") : tr("no");
    case Unit::Percent: return value < 0 ? tr("the driver's choice") : QStringLiteral("%1 %").arg(value);
    case Unit::Registers: return tr("%1 registers").arg(formatCount(value));
    case Unit::Threads: return tr("%1 threads").arg(formatCount(value));
    case Unit::Blocks: return value == 0 ? tr("none") : tr("%1 blocks").arg(formatCount(value));
    case Unit::Scheduling:
        return value == 0   ? tr("the driver's choice")
               : value == 1 ? tr("spread")
               : value == 2 ? tr("balanced load")
                            : QString::number(value);
    case Unit::Number: break;
    }
    return QString::number(value);
}

/// The driver's function attributes by the names the device interface gives them, in the order of interest.
const Known knownAttributes[] = {
    {"num_regs", QT_TRANSLATE_NOOP("AttributesModel", "Registers a thread"), Unit::Registers,
     QT_TRANSLATE_NOOP("AttributesModel", "32-bit registers of a thread. Fewer let more warps be resident; the "
                                          "software device estimates them from the PTX.")},
    {"shared_size_bytes", QT_TRANSLATE_NOOP("AttributesModel", "Static shared memory"), Unit::Bytes,
     QT_TRANSLATE_NOOP(
         "AttributesModel",
         "What the __shared__ variables of a block take; the launch's dynamic shared memory comes on top.")},
    {"const_size_bytes", QT_TRANSLATE_NOOP("AttributesModel", "Constant memory"), Unit::Bytes,
     QT_TRANSLATE_NOOP("AttributesModel", "What the __constant__ variables of the module take.")},
    {"local_size_bytes", QT_TRANSLATE_NOOP("AttributesModel", "Local memory a thread"), Unit::Bytes,
     QT_TRANSLATE_NOOP("AttributesModel", "Memory of each thread for arrays and for registers that did not suffice.")},
    {"max_threads_per_block", QT_TRANSLATE_NOOP("AttributesModel", "Most threads a block"), Unit::Threads,
     QT_TRANSLATE_NOOP(
         "AttributesModel",
         "The largest block that this kernel can be launched with: registers or __launch_bounds__ limit it.")},
    {"max_dynamic_shared_size_bytes", QT_TRANSLATE_NOOP("AttributesModel", "Most dynamic shared memory"), Unit::Bytes,
     QT_TRANSLATE_NOOP("AttributesModel",
                       "What a launch of this kernel may ask for at present; a run raises it as needed.")},
    {"ptx_version", QT_TRANSLATE_NOOP("AttributesModel", "PTX compiled for"), Unit::Version,
     QT_TRANSLATE_NOOP("AttributesModel", "The virtual architecture (compute capability) that the PTX was made for.")},
    {"binary_version", QT_TRANSLATE_NOOP("AttributesModel", "Binary compiled for"), Unit::Version,
     QT_TRANSLATE_NOOP("AttributesModel", "The architecture (compute capability) that the machine code was made for.")},
    {"preferred_shared_memory_carveout", QT_TRANSLATE_NOOP("AttributesModel", "Preferred shared memory"), Unit::Percent,
     QT_TRANSLATE_NOOP("AttributesModel",
                       "How much of the memory that L1 cache and shared memory have together is to be shared memory.")},
    {"cache_mode_ca", QT_TRANSLATE_NOOP("AttributesModel", "Caches global loads in L1"), Unit::YesNo,
     QT_TRANSLATE_NOOP("AttributesModel", "Whether it was compiled with -Xptxas --dlcm=ca.")},
    {"cluster_size_must_be_set", QT_TRANSLATE_NOOP("AttributesModel", "Needs a cluster size"), Unit::YesNo,
     QT_TRANSLATE_NOOP("AttributesModel", "Whether each launch must say how many blocks make a cluster.")},
    {"required_cluster_width", QT_TRANSLATE_NOOP("AttributesModel", "Required cluster width"), Unit::Blocks,
     QT_TRANSLATE_NOOP("AttributesModel", "Blocks of a cluster along x that the kernel was compiled for.")},
    {"required_cluster_height", QT_TRANSLATE_NOOP("AttributesModel", "Required cluster height"), Unit::Blocks,
     QT_TRANSLATE_NOOP("AttributesModel", "Blocks of a cluster along y that the kernel was compiled for.")},
    {"required_cluster_depth", QT_TRANSLATE_NOOP("AttributesModel", "Required cluster depth"), Unit::Blocks,
     QT_TRANSLATE_NOOP("AttributesModel", "Blocks of a cluster along z that the kernel was compiled for.")},
    {"non_portable_cluster_size_allowed", QT_TRANSLATE_NOOP("AttributesModel", "Large clusters allowed"), Unit::YesNo,
     QT_TRANSLATE_NOOP("AttributesModel",
                       "Whether clusters of more than 8 blocks may be launched, which not every device can.")},
    {"cluster_scheduling_policy_preference", QT_TRANSLATE_NOOP("AttributesModel", "Cluster scheduling"),
     Unit::Scheduling,
     QT_TRANSLATE_NOOP("AttributesModel", "How the blocks of a cluster are given to multiprocessors.")},
};

} // namespace

AttributesModel::AttributesModel(QObject* parent) : QAbstractItemModel(parent) {}

void AttributesModel::setResults(const session::Report* report, const compiler::KernelResources* resources,
                                 const QString& resourcesArch) {
    beginResetModel();
    groups_.clear();
    if (report && !report->function.empty()) {
        Group group{tr("Function on %1").arg(QString::fromStdString(session::device_text(*report))), {}};
        auto rest = report->function;
        for (const Known& known : knownAttributes) {
            const auto found = rest.find(known.key);
            if (found == rest.end()) continue;
            const bool estimated = found->first == "num_regs" && report->registers_from == "estimate";
            group.rows.push_back({QCoreApplication::translate("AttributesModel", known.name),
                                  estimated ? tr("%1 (estimated)").arg(valueText(known.unit, found->second))
                                            : valueText(known.unit, found->second),
                                  QCoreApplication::translate("AttributesModel", known.help), false});
            rest.erase(found);
        }
        for (const auto& [key, value] : rest) {
            QString name = QString::fromStdString(key).replace(QLatin1Char('_'), QLatin1Char(' '));
            name[0] = name[0].toUpper();
            group.rows.push_back({name, QString::number(value), tr("An attribute of a newer driver."), false});
        }
        groups_.push_back(std::move(group));
    }
    if (report && report->occupancy) {
        const auto& occupancy = *report->occupancy;
        Group group{tr("Occupancy of the launch"), {}};
        const QString percent = QStringLiteral("%1 %").arg(occupancy.occupancy * 100, 0, 'f', 0);
        group.rows.push_back(
            {tr("Occupancy"), occupancy.estimated ? tr("%1 (estimated)").arg(percent) : percent,
             tr("The share of the warps that a multiprocessor can hold that this launch makes resident."), false});
        group.rows.push_back({tr("Warps a multiprocessor"),
                              tr("%1 of %2 warps").arg(occupancy.warps_per_sm).arg(occupancy.max_warps_per_sm),
                              tr("Warps of this launch that are resident on a multiprocessor at once."), false});
        group.rows.push_back({tr("Blocks a multiprocessor"), tr("%1 blocks").arg(occupancy.blocks_per_sm),
                              tr("Blocks of this launch that are resident on a multiprocessor at once."), false});
        group.rows.push_back({tr("Limited by"), QString::fromStdString(occupancy.limiter),
                              tr("What would have to shrink for more blocks to be resident."), false});
        if (occupancy.suggested_block > 0)
            group.rows.push_back({tr("Suggested block"), tr("%1 threads").arg(occupancy.suggested_block),
                                  tr("The smallest block with the highest occupancy."), false});
        groups_.push_back(std::move(group));
    }
    if (resources) {
        Group group{resourcesArch.isEmpty() ? tr("ptxas") : tr("ptxas for %1").arg(resourcesArch), {}};
        const bool spills = resources->spill_loads > 0 || resources->spill_stores > 0;
        group.rows.push_back({tr("Registers a thread"), tr("%1 registers").arg(resources->registers),
                              tr("32-bit registers of a thread, as ptxas gives them out for this architecture."),
                              false});
        group.rows.push_back({tr("Spill stores"), formatBytes(resources->spill_stores),
                              spills ? tr("Registers did not suffice: values are written to local memory.")
                                     : tr("Code that writes registers to local memory because they did not suffice."),
                              spills});
        group.rows.push_back(
            {tr("Spill loads"), formatBytes(resources->spill_loads), tr("Code that reads such values back."), spills});
        group.rows.push_back({tr("Stack frame"), formatBytes(resources->stack),
                              tr("Local memory of a thread for calls and arrays."), false});
        group.rows.push_back({tr("Static shared memory"), formatBytes(resources->static_shared),
                              tr("What the __shared__ variables of a block take."), false});
        group.rows.push_back({tr("Constant bank 0"), formatBytes(resources->constant),
                              tr("The parameters of the kernel and of its launch."), false});
        if (resources->barriers >= 0) // older assemblers do not say
            group.rows.push_back({tr("Barriers"), tr("%1 of 16").arg(resources->barriers),
                                  tr("Barriers for __syncthreads() and its kin that the kernel uses."), false});
        groups_.push_back(std::move(group));
    }
    if (report && report->memory.total > 0) {
        const auto& memory = report->memory;
        Group group{tr("Device memory"), {}};
        group.rows.push_back(
            {tr("Arguments"), formatBytes(memory.allocated), tr("Allocated for the buffers of this run."), false});
        group.rows.push_back({tr("Free before"), formatBytes(memory.free_before),
                              tr("Memory of the device that was free before the buffers were allocated."), false});
        group.rows.push_back({tr("Free after"), formatBytes(memory.free_after),
                              tr("Memory of the device that was free when they were gone again."), false});
        group.rows.push_back({tr("Total"), formatBytes(memory.total), tr("Memory of the device altogether."), false});
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
    case Qt::DisplayRole: return index.column() == Name ? row.name : index.column() == Value ? row.value : row.help;
    case Qt::ToolTipRole:
    case Qt::AccessibleDescriptionRole: return row.help.isEmpty() ? QVariant() : row.help;
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
    return section == Name ? tr("Attribute") : section == Value ? tr("Value") : tr("Meaning");
}

} // namespace warplight::ui
