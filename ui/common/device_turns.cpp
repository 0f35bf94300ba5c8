// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/device_turns.hpp"

#include <QHash>
#include <QList>
#include <utility>

namespace warplight::ui {
namespace {

/// Those that have asked, by device. The first one has it.
QHash<QString, QList<DeviceTurn*>>& queues() {
    static QHash<QString, QList<DeviceTurn*>> all;
    return all;
}

} // namespace

DeviceTurn::~DeviceTurn() { end(); }

bool DeviceTurn::ask(const QString& device, const QString& name) {
    if (device != device_) end();
    name_ = name;
    if (device_.isEmpty()) {
        device_ = device;
        queues()[device_] << this;
    }
    return isFirst();
}

bool DeviceTurn::isFirst() const { return !device_.isEmpty() && queues().value(device_).value(0) == this; }

void DeviceTurn::end() {
    if (device_.isEmpty()) return;
    QList<DeviceTurn*>& queue = queues()[std::exchange(device_, {})];
    const bool had = queue.value(0) == this;
    queue.removeOne(this);
    if (!had) return;
    // Who ends it may be in the middle of something.
    for (DeviceTurn* each : std::as_const(queue))
        QMetaObject::invokeMethod(
            each,
            [each] {
                if (each->isFirst())
                    emit each->begun();
                else
                    emit each->waitsForChanged();
            },
            Qt::QueuedConnection);
}

QString DeviceTurn::waitsFor() const {
    const DeviceTurn* first = device_.isEmpty() ? nullptr : queues().value(device_).value(0);
    return first && first != this ? first->name_ : QString();
}

} // namespace warplight::ui
