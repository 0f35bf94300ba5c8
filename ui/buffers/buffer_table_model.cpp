// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/buffers/buffer_table_model.hpp"

#include <algorithm>
#include <cmath>

namespace warplight::ui {

BufferTableModel::BufferTableModel(QObject* parent) : QAbstractTableModel(parent) {
    connect(&pages_, &BufferPages::loaded, this, &BufferTableModel::onLoaded);
}

void BufferTableModel::setBuffer(BufferSource* source, const BufferInfo& info) {
    beginResetModel();
    pages_.setBuffer(source, info);
    slice_ = QList<qint64>(std::max<qsizetype>(0, info.shape.size() - 2), 0);
    firstRow_ = firstColumn_ = 0;
    layOut();
    endResetModel();
}

void BufferTableModel::layOut() {
    const BufferInfo& buffer = info();
    if (!buffer.isValid() || buffer.count() <= 0) {
        totalRows_ = totalColumns_ = 0;
    } else if (isWrapped()) {
        totalColumns_ = std::min<qint64>(wrapColumns_, buffer.count());
        totalRows_ = (buffer.count() + totalColumns_ - 1) / totalColumns_;
    } else {
        totalRows_ = buffer.shape[buffer.shape.size() - 2];
        totalColumns_ = buffer.shape.last();
    }
    firstRow_ = std::clamp<qint64>(firstRow_, 0, std::max<qint64>(0, totalRows_ - maximumRows));
    firstColumn_ = std::clamp<qint64>(firstColumn_, 0, std::max<qint64>(0, totalColumns_ - maximumColumns));
}

void BufferTableModel::setWrapColumns(int columns) {
    columns = std::clamp(columns, 1, maximumColumns);
    if (columns == wrapColumns_) return;
    beginResetModel();
    const qint64 element = firstRow_ * std::max<qint64>(1, totalColumns_);
    wrapColumns_ = columns;
    firstRow_ = element / columns;
    layOut();
    endResetModel();
}

void BufferTableModel::setSlice(const QList<qint64>& slice) {
    if (slice == slice_ || slice.size() != slice_.size()) return;
    for (qsizetype i = 0; i < slice.size(); ++i)
        if (slice[i] < 0 || slice[i] >= info().shape[i]) return;
    slice_ = slice;
    if (totalRows_ > 0 && totalColumns_ > 0) emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

void BufferTableModel::setFormat(const NumberFormat& format) {
    if (format == format_) return;
    format_ = format;
    if (rowCount() && columnCount())
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1), {Qt::DisplayRole});
}

void BufferTableModel::setHeat(bool on, double low, double high, const QColor& from, const QColor& to) {
    heat_ = on && high > low;
    heatLow_ = low;
    heatHigh_ = high;
    heatFrom_ = from;
    heatTo_ = to;
    if (rowCount() && columnCount())
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1),
                         {Qt::BackgroundRole, Qt::ForegroundRole});
}

void BufferTableModel::setWindow(qint64 firstRow, qint64 firstColumn) {
    firstRow = std::clamp<qint64>(firstRow, 0, std::max<qint64>(0, totalRows_ - maximumRows));
    firstColumn = std::clamp<qint64>(firstColumn, 0, std::max<qint64>(0, totalColumns_ - maximumColumns));
    if (firstRow == firstRow_ && firstColumn == firstColumn_) return;
    beginResetModel();
    firstRow_ = firstRow;
    firstColumn_ = firstColumn;
    endResetModel();
}

qint64 BufferTableModel::sliceOffset() const {
    qint64 offset = 0;
    for (qsizetype i = 0; i < slice_.size(); ++i)
        offset = offset * info().shape[i] + slice_[i];
    return offset * totalRows_ * totalColumns_;
}

QModelIndex BufferTableModel::reveal(qint64 flat) {
    if (flat < 0 || flat >= info().count() || totalColumns_ == 0) return {};
    qint64 rest = flat;
    if (!isWrapped()) {
        const qint64 plane = totalRows_ * totalColumns_;
        qint64 outer = flat / plane;
        rest = flat % plane;
        QList<qint64> slice = slice_;
        for (qsizetype i = slice.size() - 1; i >= 0; --i) {
            slice[i] = outer % info().shape[i];
            outer /= info().shape[i];
        }
        setSlice(slice);
    }
    const qint64 row = rest / totalColumns_, column = rest % totalColumns_;
    qint64 first = firstRow_, left = firstColumn_;
    if (row < first || row >= first + rowCount()) first = row - maximumRows / 2;
    if (column < left || column >= left + columnCount()) left = column - maximumColumns / 2;
    setWindow(first, left);
    return index(int(row - firstRow_), int(column - firstColumn_));
}

qint64 BufferTableModel::flatIndex(const QModelIndex& index) const {
    if (!index.isValid()) return -1;
    const qint64 flat = sliceOffset() + (firstRow_ + index.row()) * totalColumns_ + firstColumn_ + index.column();
    return flat < info().count() ? flat : -1;
}

QString BufferTableModel::positionText(qint64 flat) const {
    const QList<qint64>& shape = info().shape;
    if (shape.size() < 2) return QStringLiteral("[%1]").arg(flat);
    QStringList parts;
    for (qsizetype i = shape.size() - 1; i >= 0; --i) {
        const qint64 length = std::max<qint64>(1, shape[i]);
        parts.prepend(QString::number(flat % length));
        flat /= length;
    }
    return QStringLiteral("[%1]").arg(parts.join(QStringLiteral(", ")));
}

int BufferTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(std::min<qint64>(maximumRows, totalRows_ - firstRow_));
}

int BufferTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(std::min<qint64>(maximumColumns, totalColumns_ - firstColumn_));
}

QVariant BufferTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    if (role == Qt::TextAlignmentRole) return int(Qt::AlignRight | Qt::AlignVCenter);
    const qint64 flat = flatIndex(index);
    if (role == FlatIndexRole) return flat;
    if (flat < 0) return {};
    const bool visible = role == Qt::DisplayRole || role == Qt::EditRole || role == ValueRole || role == SpecialRole ||
                         role == Qt::ToolTipRole || role == Qt::AccessibleTextRole ||
                         ((role == Qt::BackgroundRole || role == Qt::ForegroundRole) && heat_);
    if (!visible) return {};
    const ElementType type = info().type;
    const char* bytes = pages_.element(flat);
    if (!bytes) {
        const QString failure = pages_.failure(flat);
        if (role == Qt::ToolTipRole) return failure.isEmpty() ? QVariant() : QVariant(failure);
        if (role == Qt::DisplayRole) return failure.isEmpty() ? QStringLiteral("…") : QStringLiteral("✕");
        return {};
    }
    switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole: return type.toText(bytes, format_);
    case ValueRole: return type.toDouble(bytes);
    case SpecialRole: return type.isNaN(bytes) || type.isInfinite(bytes);
    case Qt::AccessibleTextRole: return positionText(flat) + QLatin1Char(' ') + type.toText(bytes, format_);
    case Qt::ToolTipRole:
        return QStringLiteral("%1 = %2\n%3")
            .arg(positionText(flat), type.toText(bytes, {NumberBase::Decimal, 17}),
                 type.toText(bytes, {NumberBase::Hexadecimal, 0}));
    case Qt::BackgroundRole:
    case Qt::ForegroundRole: {
        const double value = type.toDouble(bytes);
        if (!std::isfinite(value)) return {};
        const double t = std::clamp((value - heatLow_) / (heatHigh_ - heatLow_), 0.0, 1.0);
        const auto mix = [t](int a, int b) { return int(std::lround(a + (b - a) * t)); };
        const QColor color(mix(heatFrom_.red(), heatTo_.red()), mix(heatFrom_.green(), heatTo_.green()),
                           mix(heatFrom_.blue(), heatTo_.blue()));
        if (role == Qt::BackgroundRole) return color;
        return 0.299 * color.red() + 0.587 * color.green() + 0.114 * color.blue() > 140 ? QColor(0x1b, 0x1f, 0x24)
                                                                                        : QColor(0xff, 0xff, 0xff);
    }
    default: return {};
    }
}

QVariant BufferTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role == Qt::TextAlignmentRole) return int(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole || section < 0) return {};
    if (orientation == Qt::Horizontal)
        return isWrapped() ? QStringLiteral("+%1").arg(firstColumn_ + section)
                           : QString::number(firstColumn_ + section);
    const qint64 row = firstRow_ + section;
    return QString::number(isWrapped() ? row * totalColumns_ : row);
}

Qt::ItemFlags BufferTableModel::flags(const QModelIndex& index) const {
    if (flatIndex(index) < 0) return Qt::NoItemFlags;
    return Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
}

void BufferTableModel::onLoaded(qint64 first, qint64 count) {
    if (rowCount() == 0 || columnCount() == 0 || count <= 0) return;
    const qint64 start = sliceOffset();
    const qint64 from = (first - start) / totalColumns_ - firstRow_;
    const qint64 to = (first + count - 1 - start) / totalColumns_ - firstRow_;
    if (to < 0 || from >= rowCount()) return;
    emit dataChanged(index(int(std::max<qint64>(0, from)), 0),
                     index(int(std::min<qint64>(rowCount() - 1, to)), columnCount() - 1));
}

} // namespace warplight::ui
