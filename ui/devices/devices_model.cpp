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

int DevicesModel::findDriver(const QString& key) const {
    for (std::size_t i = 0; i < drivers_.size(); ++i)
        if (drivers_[i].key == key) return int(i);
    return -1;
}

void DevicesModel::setDriver(const QString& driver, const QString& label, std::vector<DeviceInfo> devices) {
    removeDriver(driver);
    const int row = int(drivers_.size());
    beginInsertRows({}, row, row);
    drivers_.push_back({driver, label, {}, std::move(devices)});
    endInsertRows();
}

void DevicesModel::setDriverProblem(const QString& driver, const QString& label, const QString& problem) {
    removeDriver(driver);
    const int row = int(drivers_.size());
    beginInsertRows({}, row, row);
    drivers_.push_back({driver, label, problem, {}});
    endInsertRows();
}

void DevicesModel::removeDriver(const QString& driver) {
    const int row = findDriver(driver);
    if (row < 0) return;
    beginRemoveRows({}, row, row);
    drivers_.erase(drivers_.begin() + row);
    endRemoveRows();
}

void DevicesModel::setMemory(const QString& deviceId, quint64 free, quint64 total) {
    for (std::size_t d = 0; d < drivers_.size(); ++d)
        for (std::size_t i = 0; i < drivers_[d].devices.size(); ++i) {
            DeviceInfo& device = drivers_[d].devices[i];
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
    for (const Driver& driver : drivers_)
        all.insert(all.end(), driver.devices.begin(), driver.devices.end());
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
    if (!parent.isValid()) return int(drivers_.size());
    if (parent.column() != 0) return 0;
    if (parent.internalId() == 0) {
        const Driver& driver = drivers_[std::size_t(parent.row())];
        return driver.problem.isEmpty() ? int(driver.devices.size()) : 1;
    }
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
    if (driver >= drivers_.size() || device >= drivers_[driver].devices.size()) return nullptr;
    return &drivers_[driver].devices[device];
}

QVariant DevicesModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    if (index.internalId() == 0) {
        const Driver& driver = drivers_[std::size_t(index.row())];
        if (role == KindRole) return DriverKind;
        if (role == Qt::DisplayRole && index.column() == Name) return driver.label;
        if (role == Qt::FontRole) {
            QFont bold;
            bold.setBold(true);
            return bold;
        }
        return {};
    }
    const DeviceInfo* device = deviceOf(index);
    if (!device) { // the row that says why the driver cannot be used
        const Driver& driver = drivers_[std::size_t(index.internalId() - 1)];
        if (role == KindRole) return AttributeKind;
        if (role == Qt::DisplayRole && index.column() == Name) return driver.problem;
        if (role == Qt::ToolTipRole) return driver.problem;
        if (role == Qt::DecorationRole && index.column() == Name) return icon(QStringLiteral("warning"));
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
        return device->memoryKnown ? tr("%1 free").arg(formatBytes(device->freeMemory))
                                   : formatBytes(device->totalMemory);
    case Qt::DecorationRole: return index.column() == Name ? QVariant(icon(QStringLiteral("device"))) : QVariant();
    case Qt::TextAlignmentRole:
        return index.column() == Value ? QVariant(int(Qt::AlignRight | Qt::AlignVCenter)) : QVariant();
    case Qt::ToolTipRole: {
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
