// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/device_id.hpp"

#include "session/report.hpp"

#include <QCoreApplication>

namespace warplight::ui {
namespace {

const QLatin1String scheme("ssh://");

/// "cuda:1" of "ssh://host:22/cuda:1": colons before it are the address's.
QString withoutMachine(const QString& device) {
    return isRemote(device) ? device.mid(scheme.size()).section(QLatin1Char('/'), 1) : device;
}

} // namespace

DeviceId DeviceId::parse(const QString& text) {
    const QString own = withoutMachine(text);
    const qsizetype colon = own.indexOf(QLatin1Char(':'));
    if (colon < 0) return {text, 0};
    return {text.chopped(own.size() - colon), own.mid(colon + 1).toInt()};
}

bool isRemote(const QString& device) { return device.startsWith(scheme); }

QString driverKind(const QString& driver) { return withoutMachine(driver).section(QLatin1Char(':'), 0, 0); }

QString machineOf(const QString& device) {
    return isRemote(device) ? device.mid(scheme.size()).section(QLatin1Char('/'), 0, 0) : QString();
}

QString placeOf(const QString& machine) { return machine.isEmpty() ? QString() : scheme + machine; }

QString driverOn(const QString& machine, const QString& kind) { return scheme + machine + QLatin1Char('/') + kind; }

QString deviceOf(const session::Report& report) {
    const QString device = DeviceId{QString::fromStdString(report.device.driver), report.device.ordinal}.text();
    return report.machine.empty() ? device
                                  : QCoreApplication::translate("DeviceId", "%1 on %2")
                                        .arg(device, QString::fromStdString(report.machine));
}

} // namespace warplight::ui
