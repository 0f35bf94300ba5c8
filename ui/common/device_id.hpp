// SPDX-License-Identifier: GPL-3.0-or-later
/// Names of devices. A driver of this machine is "software" or "cuda", one of another machine "ssh://me@host/cuda". A
/// device is its driver and a number: "cuda:0", "ssh://me@host:22/cuda:1".
#pragma once

#include <QString>

namespace warplight::session {
struct Report;
}

namespace warplight::ui {

struct DeviceId {
    QString driver;
    int ordinal = 0;

    /// A device without a number is the first of its driver.
    static DeviceId parse(const QString& text);
    QString text() const { return driver + QLatin1Char(':') + QString::number(ordinal); }
    friend bool operator==(const DeviceId&, const DeviceId&) = default;
};

/// True for names that begin with ssh://.
bool isRemote(const QString& device);
/// "cuda" or "software", here or on another machine.
QString driverKind(const QString& driver);
inline bool isGpu(const QString& driver) { return driverKind(driver) == QLatin1String("cuda"); }
/// The address of a driver's or device's machine, "me@host:22"; empty for this one.
QString machineOf(const QString& device);
/// "ssh://me@host:22"; empty for this machine
QString placeOf(const QString& machine);
/// "ssh://me@host:22/cuda"
QString driverOn(const QString& machine, const QString& kind);

/// "cuda:0" of a report, "cuda:0 on me@host" where the run was on another machine.
QString deviceOf(const session::Report& report);

} // namespace warplight::ui
