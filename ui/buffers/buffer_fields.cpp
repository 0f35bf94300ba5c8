// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/buffers/buffer_fields.hpp"

#include <QStringList>

#include <algorithm>

namespace warplight::ui {

qint64 BufferField::count() const {
    qint64 product = 1;
    for (const qint64 length : shape)
        product *= length;
    return product;
}

QString BufferField::nameOf(qint64 element) const {
    QString text = name;
    // From the last pair of brackets, whose index changes first.
    qsizetype end = text.size();
    for (qsizetype axis = shape.size() - 1; axis >= 0; --axis) {
        const qint64 length = std::max<qint64>(1, shape[axis]);
        const qsizetype at = text.left(end).lastIndexOf(QLatin1String("[]"));
        if (at < 0) break;
        text.insert(at + 1, QString::number(element % length));
        element /= length;
        end = at;
    }
    return text;
}

qint64 BufferField::offsetOf(qint64 element) const {
    qint64 place = offset;
    for (qsizetype axis = shape.size() - 1; axis >= 0; --axis) {
        const qint64 length = std::max<qint64>(1, shape[axis]);
        place += element % length * strides.value(axis);
        element /= length;
    }
    return place;
}

QString BufferField::shortName() const {
    QString text = name;
    return text.remove(QLatin1String("[]"));
}

QString BufferField::typeText() const {
    if (shape.isEmpty()) return type.name();
    QStringList lengths;
    for (const qint64 length : shape)
        lengths << QString::number(length);
    return QStringLiteral("%1 [%2]").arg(type.name(), lengths.join(QStringLiteral(", ")));
}

FieldColumns::FieldColumns(const QList<BufferField>& fields) : fields_(fields), starts_{0} {
    for (const BufferField& field : fields)
        starts_ << starts_.last() + field.count();
}

qsizetype FieldColumns::fieldAt(qint64 column) const {
    // The last one that starts there or before: fields without elements start where the next one does.
    return std::upper_bound(starts_.cbegin(), starts_.cend() - 1, column) - starts_.cbegin() - 1;
}

qint64 FieldColumns::find(const QString& name) const {
    for (qsizetype i = 0; i < fields_.size(); ++i)
        for (qint64 element = 0; element < fields_[i].count(); ++element)
            if (fields_[i].nameOf(element) == name) return starts_[i] + element;
    return -1;
}

const char* FieldColumns::value(qint64 column, const char* structure, QByteArray& room) const {
    const BufferField& of = field(column);
    const char* bytes = structure + of.offsetOf(element(column));
    if (!of.bigEndian) return bytes;
    room = QByteArray(bytes, of.type.size);
    const int part = of.type.isComplex() ? of.type.size / 2 : of.type.size;
    for (int at = 0; at < room.size(); at += part)
        std::reverse(room.begin() + at, room.begin() + at + part);
    return room.constData();
}

QString positionText(const QList<qint64>& shape, qint64 flatIndex) {
    if (shape.size() < 2) return QStringLiteral("[%1]").arg(flatIndex);
    QStringList parts;
    for (qsizetype axis = shape.size() - 1; axis >= 0; --axis) {
        const qint64 length = std::max<qint64>(1, shape[axis]);
        parts.prepend(QString::number(flatIndex % length));
        flatIndex /= length;
    }
    return QStringLiteral("[%1]").arg(parts.join(QStringLiteral(", ")));
}

} // namespace warplight::ui
