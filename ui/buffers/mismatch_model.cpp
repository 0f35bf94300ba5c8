// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/buffers/mismatch_model.hpp"

#include "ui/buffers/buffer_fields.hpp"
#include "ui/common/format.hpp"

#include <cmath>
#include <cstring>
#include <limits>

namespace warplight::ui {

double absoluteError(double actual, double expected) {
    if (std::isnan(actual) && std::isnan(expected)) return 0;
    if (actual == expected) return 0;
    const double error = std::abs(actual - expected);
    return std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
}

namespace {

ElementType partOf(const ElementType& complex) {
    return ElementType(complex.kind == ElementKind::Complex64 ? ElementKind::Float32 : ElementKind::Float64);
}

} // namespace

double absoluteError(const ElementType& actualType, const char* actual, const ElementType& expectedType,
                     const char* expected) {
    if (!actualType.isComplex() || actualType != expectedType)
        return absoluteError(actualType.toDouble(actual), expectedType.toDouble(expected));
    const ElementType part = partOf(actualType);
    return std::hypot(absoluteError(part.toDouble(actual), part.toDouble(expected)),
                      absoluteError(part.toDouble(actual + part.size), part.toDouble(expected + part.size)));
}

bool CompareRule::matches(const ElementType& actualType, const char* actual, const ElementType& expectedType,
                          const char* expected) const {
    if (actualType == expectedType && std::memcmp(actual, expected, size_t(actualType.size)) == 0) return true;
    if (!actualType.isNumeric() || !expectedType.isNumeric()) return false;
    // 64-bit integers do not all fit into a double.
    if (actualType == expectedType && actualType.isInteger() && relative == 0 && absolute == 0) return false;
    const double error = absoluteError(actualType.toDouble(actual), expectedType.toDouble(expected));
    if (actualType.isComplex() && actualType == expectedType) {
        // Magnitudes may agree where the numbers do not: each part is compared.
        const ElementType part = partOf(actualType);
        return matches(part, actual, part, expected) && matches(part, actual + part.size, part, expected + part.size);
    }
    return error <= absolute + relative * std::abs(expectedType.toDouble(expected)) || error == 0;
}

MismatchModel::MismatchModel(QObject* parent) : QAbstractTableModel(parent) {}

void MismatchModel::clear(const QList<qint64>& shape) {
    beginResetModel();
    rows_.clear();
    shape_ = shape;
    endResetModel();
}

bool MismatchModel::append(const QList<Mismatch>& mismatches) {
    const qsizetype take = std::min<qsizetype>(mismatches.size(), maximum - rows_.size());
    if (take > 0) {
        beginInsertRows({}, int(rows_.size()), int(rows_.size() + take - 1));
        rows_.append(mismatches.first(take));
        endInsertRows();
    }
    return rows_.size() < maximum;
}

int MismatchModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(rows_.size()); }
int MismatchModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant MismatchModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const Mismatch& row = rows_[index.row()];
    if (role == Qt::TextAlignmentRole) return int(Qt::AlignRight | Qt::AlignVCenter);
    if (role == SortRole) switch (index.column()) {
        case Absolute: return row.absolute;
        case Relative: return row.relative;
        default: return row.index;
        }
    if (role != Qt::DisplayRole) return {};
    const NumberFormat format{NumberBase::Decimal, 4};
    switch (index.column()) {
    case Index: return formatCount(row.index);
    case Position: return positionText(shape_, row.index);
    case Field: return row.field;
    case Actual: return row.actual;
    case Expected: return row.expected;
    case Absolute: return numberText(row.absolute, format);
    case Relative: return numberText(row.relative, format);
    default: return {};
    }
}

QVariant MismatchModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole) return int(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    switch (section) {
    case Index: return tr("Index");
    case Position: return tr("Position");
    case Field: return tr("Field");
    case Actual: return tr("Actual");
    case Expected: return tr("Expected");
    case Absolute: return tr("Absolute error");
    case Relative: return tr("Relative error");
    default: return {};
    }
}

} // namespace warplight::ui
