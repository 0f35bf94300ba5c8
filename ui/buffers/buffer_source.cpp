// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/buffers/buffer_source.hpp"

#include <QCoreApplication>
#include <QStringList>

namespace warplight::ui {

QString bufferRoleText(BufferRole role) {
    switch (role) {
    case BufferRole::Input: return QCoreApplication::translate("BufferRole", "in");
    case BufferRole::Output: return QCoreApplication::translate("BufferRole", "out");
    case BufferRole::InOut: return QCoreApplication::translate("BufferRole", "in/out");
    case BufferRole::Expected: return QCoreApplication::translate("BufferRole", "expected");
    case BufferRole::File: break;
    }
    return QCoreApplication::translate("BufferRole", "file");
}

qint64 BufferInfo::count() const {
    qint64 product = 1;
    for (qint64 length : shape)
        product *= length;
    return product;
}

QString BufferInfo::title() const {
    return QStringLiteral("%1 (%2)").arg(name, run.isEmpty() ? bufferRoleText(role)
                                                             : bufferRoleText(role) + QStringLiteral(", ") + run);
}

QString BufferInfo::shapeText() const {
    if (shape.isEmpty()) return QCoreApplication::translate("BufferInfo", "single");
    QStringList parts;
    for (qint64 length : shape)
        parts << QString::number(length);
    return parts.join(QStringLiteral(" × "));
}

} // namespace warplight::ui
