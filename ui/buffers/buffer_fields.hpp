// SPDX-License-Identifier: GPL-3.0-or-later
/// Fields of structs, and the columns that a table has of them.
#pragma once

#include "ui/buffers/element_type.hpp"

#include <QList>
#include <QString>

namespace warplight::ui {

/// A field of structs that holds numbers, or bytes without a meaning.
struct BufferField {
    QString name;     ///< the worker's: "pos.x", "v[]", "in[].length"; a pair of brackets for each axis of `shape`
    ElementType type; ///< of one element
    QList<qint64> shape;
    QList<qint64> strides; ///< in bytes, one for each axis
    qint64 offset = 0;     ///< of the first element, in bytes from the start of the struct
    bool bigEndian = false;

    qint64 count() const; ///< elements in a struct
    /// "v[1]" of element 1.
    QString nameOf(qint64 element) const;
    qint64 offsetOf(qint64 element) const;
    /// The whole field: "in.length".
    QString shortName() const;
    /// "float32 [3]"
    QString typeText() const;
    bool operator==(const BufferField&) const = default;
};

/// One column for each element of the fields of structs.
class FieldColumns {
public:
    FieldColumns() = default;
    explicit FieldColumns(const QList<BufferField>& fields);

    qint64 count() const { return starts_.isEmpty() ? 0 : starts_.last(); }
    const BufferField& field(qint64 column) const { return fields_[fieldAt(column)]; }
    qint64 element(qint64 column) const { return column - starts_[fieldAt(column)]; }
    QString name(qint64 column) const { return field(column).nameOf(element(column)); }
    /// -1 where there is none of the name.
    qint64 find(const QString& name) const;
    /// The value in a struct, in the machine's byte order. It is in `room` where its bytes had to be swapped.
    const char* value(qint64 column, const char* structure, QByteArray& room) const;

private:
    qsizetype fieldAt(qint64 column) const;

    QList<BufferField> fields_;
    QList<qint64> starts_; ///< the first column of each field, and the number of columns
};

/// "[3, 17]": a place as the shape counts.
QString positionText(const QList<qint64>& shape, qint64 flatIndex);

} // namespace warplight::ui
