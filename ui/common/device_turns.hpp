// SPDX-License-Identifier: GPL-3.0-or-later
/// Tabs and windows run on a device one after the other: kernels that share a device disturb each other's times.
#pragma once

#include <QObject>
#include <QString>

namespace warplight::ui {

/// The turn of one page at a device. All turns belong to the thread of the windows.
class DeviceTurn : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    /// Ends it.
    ~DeviceTurn() override;

    /// True: the device is this page's until end(). False: others had asked before, and `begun` follows. Asking for
    /// another device ends the turn first.
    /// @param device "software", "cuda:0"
    /// @param name of what runs, for those that wait
    bool ask(const QString& device, const QString& name);
    /// Gives the device to the next, or waits no longer.
    void end();
    bool isFirst() const;
    /// The name of what has the device. Empty: nothing has, or this one.
    QString waitsFor() const;

signals:
    void begun();
    void waitsForChanged();

private:
    QString device_, name_; ///< no device: it has not asked
};

} // namespace warplight::ui
