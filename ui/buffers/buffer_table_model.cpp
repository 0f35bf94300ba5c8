// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/buffers/buffer_table_model.hpp"

#include <QFont>

#include <algorithm>
#include <cmath>

namespace warplight::ui {

BufferTableModel::BufferTableModel(QObject* parent) : QAbstractTableModel(parent) {
    connect(&pages_, &BufferPages::loaded, this, &BufferTableModel::onLoaded);
}

void BufferTableModel::setBuffer(BufferSource* source, const BufferInfo& info) {
    beginResetModel();
    pages_.setBuffer(source, info);
    fields_ = FieldColumns(info.fields);
    beside_.clear();
    pagesBeside_.clear();
    marks_.reset();
    slice_ = QList<qint64>(std::max<qsizetype>(0, info.shape.size() - 2), 0);
    firstRow_ = firstColumn_ = 0;
    layOut();
    endResetModel();
}

void BufferTableModel::setColumnsBeside(const QList<ColumnBeside>& columns) {
    beginResetModel();
    const bool records = hasRecords();
    beside_ = columns;
    pagesBeside_.clear();
    for (const ColumnBeside& column : columns) {
        auto pages = std::make_unique<BufferPages>();
        pages->setBuffer(pages_.source(), column.info);
        connect(pages.get(), &BufferPages::loaded, this, &BufferTableModel::onLoaded);
        connect(pages.get(), &BufferPages::failed, this, &BufferTableModel::failed);
        pagesBeside_.push_back(std::move(pages));
    }
    if (records != hasRecords()) firstRow_ = firstColumn_ = 0;
    layOut();
    endResetModel();
}

void BufferTableModel::setMarks(std::shared_ptr<const MismatchSet> marks, const QColor& colour) {
    const bool fits = marks && marks->elements() == info().count() && marks->columns() == ownColumns();
    marks_ = fits ? std::move(marks) : nullptr;
    markColour_ = colour;
    if (rowCount() && columnCount())
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1), {Qt::BackgroundRole, Qt::FontRole});
}

bool BufferTableModel::isMarked(qint64 flat, qint64 column) const {
    return marks_ && (hasRecords() ? column < ownColumns() && marks_->contains(flat, column) : marks_->contains(flat));
}

QString BufferTableModel::columnName(qint64 column) const {
    if (column >= ownColumns()) return beside_.value(column - ownColumns()).name;
    return fields_.count() > 0 ? fields_.name(column) : info().name;
}

ElementType BufferTableModel::columnType(qint64 column) const {
    if (!hasRecords()) return info().type;
    if (column >= ownColumns()) return beside_.value(column - ownColumns()).info.type;
    return fields_.count() > 0 ? fields_.field(column).type : info().type;
}

BufferTableModel::Cell BufferTableModel::cell(qint64 flat, qint64 column) const {
    Cell result{columnType(column), nullptr, {}};
    if (!hasRecords() || column < ownColumns()) {
        result.bytes = pages_.element(flat);
        if (!result.bytes)
            result.problem = pages_.failure(flat);
        else if (fields_.count() > 0)
            result.bytes = fields_.value(column, result.bytes, swapped_);
        return result;
    }
    const qint64 which = column - ownColumns();
    if (!beside_[which].info.isValid()) {
        result.problem = beside_[which].problem;
        return result;
    }
    BufferPages& pages = *pagesBeside_[size_t(which)];
    result.bytes = pages.element(flat);
    if (!result.bytes) result.problem = pages.failure(flat);
    return result;
}

void BufferTableModel::layOut() {
    const BufferInfo& buffer = info();
    if (!buffer.isValid() || buffer.count() <= 0) {
        totalRows_ = totalColumns_ = 0;
    } else if (hasRecords()) {
        totalRows_ = buffer.count();
        totalColumns_ = ownColumns() + beside_.size();
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
    if (hasRecords()) return 0;
    qint64 offset = 0;
    for (qsizetype i = 0; i < slice_.size(); ++i)
        offset = offset * info().shape[i] + slice_[i];
    return offset * totalRows_ * totalColumns_;
}

QModelIndex BufferTableModel::reveal(qint64 flat, qint64 recordColumn) {
    if (flat < 0 || flat >= info().count() || totalColumns_ == 0) return {};
    qint64 rest = flat;
    if (!isWrapped() && !hasRecords()) {
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
    const bool records = hasRecords();
    const qint64 row = records ? flat : rest / totalColumns_;
    const qint64 column = records ? std::clamp<qint64>(recordColumn, 0, totalColumns_ - 1) : rest % totalColumns_;
    qint64 first = firstRow_, left = firstColumn_;
    if (row < first || row >= first + rowCount()) first = row - maximumRows / 2;
    if (column < left || column >= left + columnCount()) left = column - maximumColumns / 2;
    setWindow(first, left);
    return index(int(row - firstRow_), int(column - firstColumn_));
}

qint64 BufferTableModel::flatIndex(const QModelIndex& index) const {
    if (!index.isValid()) return -1;
    if (hasRecords()) return firstRow_ + index.row();
    const qint64 flat = sliceOffset() + (firstRow_ + index.row()) * totalColumns_ + firstColumn_ + index.column();
    return flat < info().count() ? flat : -1;
}

QString BufferTableModel::positionText(qint64 flat) const { return ui::positionText(info().shape, flat); }

QString BufferTableModel::valueText(const QModelIndex& index, int digits) const {
    const qint64 flat = flatIndex(index), column = firstColumn_ + index.column();
    if (flat < 0) return {};
    QString place = positionText(flat);
    if (hasRecords()) place += QLatin1Char(' ') + columnName(column);
    const Cell at = cell(flat, column);
    const QString value = at.bytes ? at.type.toText(at.bytes, {format_.base, digits}) : QStringLiteral("…");
    return QStringLiteral("%1 = %2").arg(place, value);
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
    const qint64 column = firstColumn_ + index.column();
    const bool marked = isMarked(flat, column);
    if (role == MarkedRole) return marked;
    if (role == Qt::FontRole && marked) {
        QFont bold; // what is not set here is the view's
        bold.setBold(true);
        return bold;
    }
    if (role == Qt::BackgroundRole && marked) return markColour_;
    const bool heated = heat_ && !marked && (!hasRecords() || column == 0);
    const bool visible = role == Qt::DisplayRole || role == Qt::EditRole || role == ValueRole || role == SpecialRole ||
                         role == Qt::ToolTipRole || role == Qt::AccessibleTextRole ||
                         ((role == Qt::BackgroundRole || role == Qt::ForegroundRole) && heated);
    if (!visible) return {};
    const Cell at = cell(flat, column);
    if (!at.bytes) {
        if (role == Qt::ToolTipRole) return at.problem.isEmpty() ? QVariant() : QVariant(at.problem);
        if (role == Qt::DisplayRole) return at.problem.isEmpty() ? QStringLiteral("…") : QStringLiteral("✕");
        return {};
    }
    switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole: return at.type.toText(at.bytes, format_);
    case ValueRole: return at.type.toDouble(at.bytes);
    case SpecialRole: return at.type.isNaN(at.bytes) || at.type.isInfinite(at.bytes);
    case Qt::AccessibleTextRole: {
        const QString text = positionText(flat) + QLatin1Char(' ') + at.type.toText(at.bytes, format_);
        return marked ? text + QLatin1Char(' ') + tr("(differs)") : text;
    }
    case Qt::ToolTipRole: {
        QString place = positionText(flat);
        if (hasRecords()) place += QLatin1Char(' ') + columnName(column);
        const QString text = QStringLiteral("%1 = %2\n%3")
                                 .arg(place, at.type.toText(at.bytes, {NumberBase::Decimal, 17}),
                                      at.type.toText(at.bytes, {NumberBase::Hexadecimal, 0}));
        return marked ? text + QLatin1Char('\n') + tr("Differs from what it is compared with") : text;
    }
    case Qt::BackgroundRole:
    case Qt::ForegroundRole: return heatColour(at, role);
    default: return {};
    }
}

QVariant BufferTableModel::heatColour(const Cell& cell, int role) const {
    const double value = cell.type.toDouble(cell.bytes);
    if (!std::isfinite(value)) return {};
    const double t = std::clamp((value - heatLow_) / (heatHigh_ - heatLow_), 0.0, 1.0);
    const auto mix = [t](int a, int b) { return int(std::lround(a + (b - a) * t)); };
    const QColor color(mix(heatFrom_.red(), heatTo_.red()), mix(heatFrom_.green(), heatTo_.green()),
                       mix(heatFrom_.blue(), heatTo_.blue()));
    if (role == Qt::BackgroundRole) return color;
    return 0.299 * color.red() + 0.587 * color.green() + 0.114 * color.blue() > 140 ? QColor(0x1b, 0x1f, 0x24)
                                                                                    : QColor(0xff, 0xff, 0xff);
}

QVariant BufferTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role == Qt::TextAlignmentRole) return int(Qt::AlignRight | Qt::AlignVCenter);
    if (section < 0) return {};
    if (hasRecords()) return recordHeader(section, orientation, role);
    if (role != Qt::DisplayRole) return {};
    if (orientation == Qt::Horizontal)
        return isWrapped() ? QStringLiteral("+%1").arg(firstColumn_ + section)
                           : QString::number(firstColumn_ + section);
    const qint64 row = firstRow_ + section;
    return QString::number(isWrapped() ? row * totalColumns_ : row);
}

QVariant BufferTableModel::recordHeader(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Vertical) {
        if (role != Qt::DisplayRole) return {};
        const QString place = positionText(firstRow_ + section);
        return place.mid(1, place.size() - 2);
    }
    const qint64 column = firstColumn_ + section;
    const ColumnBeside other = column < ownColumns() ? ColumnBeside() : beside_.value(column - ownColumns());
    if (role == Qt::DisplayRole)
        return other.problem.isEmpty() ? columnName(column) : QStringLiteral("✕ ") + columnName(column);
    if (role != Qt::ToolTipRole) return {};
    if (column >= ownColumns()) return other.problem.isEmpty() ? other.toolTip : other.problem;
    if (fields_.count() == 0) return columnType(column).name();
    const BufferField& field = fields_.field(column);
    return tr("%1: %2, byte %3 of the struct")
        .arg(columnName(column), field.type.name())
        .arg(field.offsetOf(fields_.element(column)));
}

Qt::ItemFlags BufferTableModel::flags(const QModelIndex& index) const {
    if (flatIndex(index) < 0) return Qt::NoItemFlags;
    return Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
}

void BufferTableModel::onLoaded(qint64 first, qint64 count) {
    if (rowCount() == 0 || columnCount() == 0 || count <= 0) return;
    const qint64 start = sliceOffset(), perRow = hasRecords() ? 1 : totalColumns_;
    const qint64 from = (first - start) / perRow - firstRow_;
    const qint64 to = (first + count - 1 - start) / perRow - firstRow_;
    if (to < 0 || from >= rowCount()) return;
    emit dataChanged(index(int(std::max<qint64>(0, from)), 0),
                     index(int(std::min<qint64>(rowCount() - 1, to)), columnCount() - 1));
}

} // namespace warplight::ui
