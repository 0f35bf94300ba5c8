// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/devices/devices_model.hpp"

#include "ui/common/format.hpp"
#include "ui/common/icons.hpp"
#include "ui/devices/device_attributes.hpp"

#include <QFont>
#include <QIcon>
#include <algorithm>
#include <nlohmann/json.hpp>

namespace warplight::ui {

namespace {

QString text(const nlohmann::json& value) {
    if (value.is_string()) return QString::fromStdString(value.get<std::string>());
    if (value.is_number_integer()) return QString::number(value.get<qint64>());
    if (value.is_boolean()) return value.get<bool>() ? QStringLiteral("yes") : QStringLiteral("no");
    return QString::fromStdString(value.dump());
}

DeviceInfo::Attribute describe(const QString& name, const nlohmann::json& value) {
    const QString number = text(value);
    return {name, value.is_number_integer() ? deviceAttributeText(name, value.get<qint64>()) : number, number};
}

} // namespace

std::vector<DeviceInfo> devicesFromJson(const nlohmann::json& json) {
    std::vector<DeviceInfo> result;
    if (!json.is_object() || !json.contains("devices") || !json["devices"].is_array()) return result;
    for (const auto& entry : json["devices"]) {
        if (!entry.is_object()) continue;
        DeviceInfo device;
        if (entry.contains("id")) device.id = text(entry["id"]);
        if (entry.contains("name")) device.name = text(entry["name"]);
        if (entry.contains("compute_capability")) device.computeCapability = text(entry["compute_capability"]);
        if (entry.contains("total_memory") && entry["total_memory"].is_number_unsigned())
            device.totalMemory = entry["total_memory"].get<quint64>();
        if (entry.contains("attributes") && entry["attributes"].is_object())
            for (const auto& [name, value] : entry["attributes"].items())
                device.attributes.push_back(describe(QString::fromStdString(name), value));
        std::sort(device.attributes.begin(), device.attributes.end(),
                  [](const auto& a, const auto& b) { return a.name < b.name; });
        result.push_back(std::move(device));
    }
    return result;
}

DevicesModel::DevicesModel(QObject* parent) : QAbstractItemModel(parent) {}

int DevicesModel::find(const QString& key, bool machine) const {
    for (std::size_t i = 0; i < groups_.size(); ++i)
        if (groups_[i].isMachine == machine && groups_[i].key == key) return int(i);
    return -1;
}

void DevicesModel::fill(int group, std::vector<DeviceInfo> devices, const QString& note) {
    Group& to = groups_[std::size_t(group)];
    const QModelIndex parent = index(group, 0);
    if (to.rows() > 0) {
        beginRemoveRows(parent, 0, to.rows() - 1);
        to.devices.clear();
        to.note.clear();
        endRemoveRows();
    }
    const int rows = int(devices.size()) + (note.isEmpty() ? 0 : 1);
    if (rows == 0) return;
    beginInsertRows(parent, 0, rows - 1);
    to.devices = std::move(devices);
    to.note = note;
    endInsertRows();
}

void DevicesModel::setGroup(const QString& driver, const QString& label, std::vector<DeviceInfo> devices,
                            const QString& problem) {
    int row = find(driver, false);
    if (row < 0) { // before the machines
        row = int(std::ranges::count(groups_, false, &Group::isMachine));
        beginInsertRows({}, row, row);
        Group group;
        group.key = driver;
        group.label = label;
        group.noteIcon = QStringLiteral("warning");
        groups_.insert(groups_.begin() + row, std::move(group));
        endInsertRows();
    }
    fill(row, std::move(devices), problem);
}

void DevicesModel::setDriver(const QString& driver, const QString& label, std::vector<DeviceInfo> devices) {
    setGroup(driver, label, std::move(devices), {});
}

void DevicesModel::setDriverProblem(const QString& driver, const QString& label, const QString& problem) {
    setGroup(driver, label, {}, problem);
}

void DevicesModel::removeDriver(const QString& driver) { removeGroup(find(driver, false)); }

void DevicesModel::removeMachine(const QString& address) { removeGroup(find(address, true)); }

void DevicesModel::removeGroup(int row) {
    if (row < 0) return;
    beginRemoveRows({}, row, row);
    groups_.erase(groups_.begin() + row);
    endRemoveRows();
}

void DevicesModel::setMachine(const QString& address, const MachineState& state) {
    int row = find(address, true);
    if (row < 0) {
        row = int(groups_.size());
        beginInsertRows({}, row, row);
        Group group;
        group.key = address;
        group.isMachine = true;
        groups_.push_back(std::move(group));
        endInsertRows();
    }
    Group& group = groups_[std::size_t(row)];
    group.label = state.label;
    group.state = state.state;
    group.bad = state.bad;
    group.noteIcon = state.noteIcon;
    emit dataChanged(index(row, Name), index(row, Value));
    const QModelIndex parent = index(row, 0);
    const int note = int(group.devices.size());
    if (group.note.isEmpty() == state.note.isEmpty()) {
        group.note = state.note;
        if (!group.note.isEmpty()) emit dataChanged(index(note, Name, parent), index(note, Value, parent));
    } else if (state.note.isEmpty()) {
        beginRemoveRows(parent, note, note);
        group.note.clear();
        endRemoveRows();
    } else {
        beginInsertRows(parent, note, note);
        group.note = state.note;
        endInsertRows();
    }
}

void DevicesModel::setMachineDevices(const QString& address, std::vector<DeviceInfo> devices) {
    if (const int row = find(address, true); row >= 0) fill(row, std::move(devices), groups_[std::size_t(row)].note);
}

QStringList DevicesModel::machines() const {
    QStringList all;
    for (const Group& group : groups_)
        if (group.isMachine) all << group.key;
    return all;
}

QModelIndex DevicesModel::machineIndex(const QString& address) const {
    const int row = find(address, true);
    return row < 0 ? QModelIndex() : index(row, 0);
}

std::vector<DeviceInfo> DevicesModel::devicesOf(const QString& machine) const {
    const int row = find(machine, true);
    return row < 0 ? std::vector<DeviceInfo>() : groups_[std::size_t(row)].devices;
}

void DevicesModel::setMemory(const QString& deviceId, quint64 free, quint64 total) {
    for (std::size_t d = 0; d < groups_.size(); ++d)
        for (std::size_t i = 0; i < groups_[d].devices.size(); ++i) {
            DeviceInfo& device = groups_[d].devices[i];
            if (device.id != deviceId) continue;
            if (device.memoryKnown && device.freeMemory == free && device.totalMemory == total) return;
            device.freeMemory = free;
            device.totalMemory = total;
            device.memoryKnown = true;
            const QModelIndex parentIndex = index(int(d), 0);
            emit dataChanged(index(int(i), Name, parentIndex), index(int(i), Value, parentIndex));
            return;
        }
}

std::vector<DeviceInfo> DevicesModel::devices() const {
    std::vector<DeviceInfo> all;
    for (const Group& group : groups_)
        all.insert(all.end(), group.devices.begin(), group.devices.end());
    return all;
}

QModelIndex DevicesModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent)) return {};
    if (!parent.isValid()) return createIndex(row, column, quintptr(0));
    if (parent.internalId() == 0) return createIndex(row, column, quintptr(parent.row()) + 1);
    return createIndex(row, column, (quintptr(parent.internalId()) << 16) | (quintptr(parent.row()) + 1));
}

QModelIndex DevicesModel::parent(const QModelIndex& child) const {
    if (!child.isValid() || child.internalId() == 0) return {};
    if (child.internalId() >> 16 == 0) return createIndex(int(child.internalId()) - 1, 0, quintptr(0));
    return createIndex(int(child.internalId() & 0xffff) - 1, 0, child.internalId() >> 16);
}

int DevicesModel::rowCount(const QModelIndex& parent) const {
    if (!parent.isValid()) return int(groups_.size());
    if (parent.column() != 0) return 0;
    if (parent.internalId() == 0) return groups_[std::size_t(parent.row())].rows();
    if (parent.internalId() >> 16 != 0) return 0;
    const DeviceInfo* device = deviceOf(parent);
    return device ? int(device->attributes.size()) : 0;
}

int DevicesModel::columnCount(const QModelIndex&) const { return ColumnCount; }

const DeviceInfo* DevicesModel::deviceOf(const QModelIndex& index) const {
    if (!index.isValid() || index.internalId() == 0) return nullptr;
    const bool attribute = index.internalId() >> 16 != 0;
    const auto driver = std::size_t(attribute ? (index.internalId() >> 16) - 1 : index.internalId() - 1);
    const auto device = std::size_t(attribute ? (index.internalId() & 0xffff) - 1 : quintptr(index.row()));
    if (driver >= groups_.size() || device >= groups_[driver].devices.size()) return nullptr;
    return &groups_[driver].devices[device];
}

const DevicesModel::Group& DevicesModel::groupOf(const QModelIndex& index) const {
    const quintptr id = index.internalId();
    return groups_[std::size_t(id == 0 ? quintptr(index.row()) : (id >> 16 != 0 ? id >> 16 : id) - 1)];
}

QVariant DevicesModel::groupData(const Group& group, int column, int role) const {
    if (role == KindRole) return group.isMachine ? MachineKind : DriverKind;
    if (role == Qt::DisplayRole) return column == Name ? group.label : group.state;
    if (role == BadRole) return group.bad;
    if (role == Qt::FontRole && column == Name) {
        QFont bold;
        bold.setBold(true);
        return bold;
    }
    if (!group.isMachine) return {};
    switch (role) {
    case Qt::DecorationRole: return column == Name ? QVariant(icon(QStringLiteral("machine"))) : QVariant();
    case Qt::TextAlignmentRole: return column == Value ? QVariant(int(Qt::AlignRight | Qt::AlignVCenter)) : QVariant();
    case Qt::ToolTipRole: {
        QString tip = group.state.isEmpty() ? group.key : tr("%1: %2").arg(group.key, group.state);
        if (!group.note.isEmpty()) tip += QLatin1Char('\n') + group.note;
        return tip;
    }
    default: return {};
    }
}

QVariant DevicesModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const Group& group = groupOf(index);
    if (role == MachineRole) return group.isMachine ? group.key : QString();
    if (index.internalId() == 0) return groupData(group, index.column(), role);
    const DeviceInfo* device = deviceOf(index);
    if (!device) { // the row that says why the driver cannot be used, or how the machine is
        if (role == KindRole) return NoteKind;
        if (index.column() == Name) {
            if (role == Qt::DisplayRole || role == Qt::ToolTipRole) return group.note;
            if (role == Qt::DecorationRole) return icon(group.noteIcon);
        }
        return {};
    }
    if (role == DeviceIdRole) return device->id;
    if (index.internalId() >> 16 != 0) {
        const auto& [name, value, number] = device->attributes[std::size_t(index.row())];
        if (role == KindRole) return AttributeKind;
        if (role == Qt::DisplayRole) return index.column() == Name ? name : value;
        if (role == MeaningRole || role == Qt::AccessibleDescriptionRole) return deviceAttributeMeaning(name);
        if (role == Qt::ToolTipRole)
            return QStringLiteral("%1 = %2\n%3").arg(name, number, deviceAttributeMeaning(name)).trimmed();
        if (role == Qt::TextAlignmentRole && index.column() == Value) return int(Qt::AlignRight | Qt::AlignVCenter);
        return {};
    }
    switch (role) {
    case KindRole: return DeviceKind;
    case Qt::DisplayRole:
        if (index.column() == Name) return device->name;
        if (!device->asked) return {};
        return device->memoryKnown ? tr("%1 free").arg(formatBytes(device->freeMemory))
                                   : formatBytes(device->totalMemory);
    case Qt::DecorationRole: return index.column() == Name ? QVariant(icon(QStringLiteral("device"))) : QVariant();
    case Qt::TextAlignmentRole:
        return index.column() == Value ? QVariant(int(Qt::AlignRight | Qt::AlignVCenter)) : QVariant();
    case Qt::ToolTipRole: {
        if (!device->asked) return tr("%1\nA double click chooses it.").arg(device->id);
        QString tip = tr("%1: %2\nCompute capability %3, %4 of memory")
                          .arg(device->id, device->name, device->computeCapability, formatBytes(device->totalMemory));
        if (device->memoryKnown) tip += tr(", %1 free").arg(formatBytes(device->freeMemory));
        return tip;
    }
    case UsedFractionRole:
        if (!device->memoryKnown || device->totalMemory == 0) return {};
        return 1.0 - double(device->freeMemory) / double(device->totalMemory);
    }
    return {};
}

QVariant DevicesModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    return section == Name ? tr("Device") : tr("Value");
}

} // namespace warplight::ui
