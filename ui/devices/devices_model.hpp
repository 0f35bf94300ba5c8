// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemModel>
#include <QString>
#include <nlohmann/json_fwd.hpp>
#include <vector>

namespace warplight::ui {

/// One device as its worker describes it.
struct DeviceInfo {
    QString id; ///< "software:0", "cuda:1", "ssh://me@host/cuda:0"
    QString name, computeCapability;
    quint64 totalMemory = 0;
    quint64 freeMemory = 0;
    bool memoryKnown = false;
    struct Attribute {
        QString name, value, number; ///< WARP_SIZE, "32 threads", "32"
    };
    std::vector<Attribute> attributes; ///< ascending by name
    bool asked = true;                 ///< false: nothing is known of it before it is chosen
};

/// What a machine's row tells of its connection.
struct MachineState {
    QString label, state; ///< "gpu-box", "ready"
    QString note;         ///< a row of its own below the devices: how it goes on, why it failed; may be empty
    QString noteIcon;
    bool bad = false; ///< the state is drawn as an error
};

/// The devices of the answer to `devices`. Tolerant: missing members stay empty.
std::vector<DeviceInfo> devicesFromJson(const nlohmann::json& json);

/// Drivers of this machine, then other machines → devices → attributes. A driver that cannot be used, and a machine
/// that is not connected, have a row that says so.
class DevicesModel : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Column { Name, Value, ColumnCount };
    enum Role {
        DeviceIdRole = Qt::UserRole + 1, ///< QString, of device rows and their attributes
        UsedFractionRole,                ///< double 0…1 of device rows whose memory is known
        KindRole,                        ///< Kind
        MeaningRole,                     ///< of attributes: a sentence
        MachineRole,                     ///< QString, the address; of machines and all below them
        BadRole,                         ///< bool, of machines: their connection failed or is lost
    };
    enum Kind { DriverKind, DeviceKind, AttributeKind, MachineKind, NoteKind };

    explicit DevicesModel(QObject* parent = nullptr);

    void setDriver(const QString& driver, const QString& label, std::vector<DeviceInfo> devices);
    void setDriverProblem(const QString& driver, const QString& label, const QString& problem);
    void removeDriver(const QString& driver);
    /// Adds a machine at the end, or changes what its rows say.
    void setMachine(const QString& address, const MachineState& state);
    /// Of a machine that was added.
    void setMachineDevices(const QString& address, std::vector<DeviceInfo> devices);
    void removeMachine(const QString& address);
    QStringList machines() const;
    /// Invalid where there is none.
    QModelIndex machineIndex(const QString& address) const;
    void setMemory(const QString& deviceId, quint64 free, quint64 total);

    std::vector<DeviceInfo> devices() const;
    std::vector<DeviceInfo> devicesOf(const QString& machine) const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    /// A driver of this machine, or another machine.
    struct Group {
        QString key, label, note, noteIcon, state;
        bool isMachine = false, bad = false;
        std::vector<DeviceInfo> devices;
        /// The note stands below the devices.
        int rows() const { return int(devices.size()) + (note.isEmpty() ? 0 : 1); }
    };
    // Internal ids: 0 a group; 1 + group a device or a note; (1 + group) << 16 | (1 + device) an attribute.
    const DeviceInfo* deviceOf(const QModelIndex& index) const;
    const Group& groupOf(const QModelIndex& index) const;
    int find(const QString& key, bool machine) const;
    void setGroup(const QString& driver, const QString& label, std::vector<DeviceInfo> devices, const QString& problem);
    void removeGroup(int row);
    /// Replaces the rows below a group.
    void fill(int group, std::vector<DeviceInfo> devices, const QString& note);
    QVariant groupData(const Group& group, int column, int role) const;

    std::vector<Group> groups_;
};

} // namespace warplight::ui
