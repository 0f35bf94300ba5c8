// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemModel>
#include <QString>
#include <nlohmann/json_fwd.hpp>
#include <vector>

namespace warplight::ui {

/// One device as its worker describes it.
struct DeviceInfo {
    QString id; ///< "software:0", "cuda:1"
    QString name, computeCapability;
    quint64 totalMemory = 0;
    quint64 freeMemory = 0;
    bool memoryKnown = false;
    struct Attribute {
        QString name, value, number; ///< WARP_SIZE, "32 threads", "32"
    };
    std::vector<Attribute> attributes; ///< ascending by name
};

/// The devices of the answer to `devices`. Tolerant: missing members stay empty.
std::vector<DeviceInfo> devicesFromJson(const nlohmann::json& json);

/// Drivers → devices → attributes. A driver that cannot be used has one row that says why.
class DevicesModel : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Column { Name, Value, ColumnCount };
    enum Role {
        DeviceIdRole = Qt::UserRole + 1, ///< QString, of device rows and their attributes
        UsedFractionRole,                ///< double 0…1 of device rows whose memory is known
        KindRole,                        ///< Kind
        MeaningRole,                     ///< of attributes: a sentence
    };
    enum Kind { DriverKind, DeviceKind, AttributeKind };

    explicit DevicesModel(QObject* parent = nullptr);

    void setDriver(const QString& driver, const QString& label, std::vector<DeviceInfo> devices);
    void setDriverProblem(const QString& driver, const QString& label, const QString& problem);
    void removeDriver(const QString& driver);
    void setMemory(const QString& deviceId, quint64 free, quint64 total);

    std::vector<DeviceInfo> devices() const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Driver {
        QString key, label, problem;
        std::vector<DeviceInfo> devices;
    };
    // Internal ids: 0 a driver; 1 + driver a device; (1 + driver) << 16 | (1 + device) an attribute.
    const DeviceInfo* deviceOf(const QModelIndex& index) const;
    int findDriver(const QString& key) const;

    std::vector<Driver> drivers_;
};

} // namespace warplight::ui
