// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/buffers/buffer_pages.hpp"
#include "ui/buffers/mismatch_set.hpp"

#include <QAbstractTableModel>
#include <QColor>
#include <algorithm>
#include <memory>
#include <vector>

namespace warplight::ui {

/// A buffer with as many elements, shown as a column beside them.
struct ColumnBeside {
    QString name, toolTip;
    BufferInfo info; ///< not valid: it could not be had
    QString problem; ///< why
};

/// A buffer as rows and columns, read page by page as cells are looked at.
///
/// Structs, and elements with columns beside them, have a row each: such a table has records.
/// A one-dimensional buffer is wrapped into `wrapColumns` columns; of one with more dimensions the last two are shown
/// and `slice` chooses the rest. A model has at most `maximumRows` × `maximumColumns` cells: a larger buffer is seen
/// through a window of that size, which `setWindow` (and `reveal`) moves; rows and columns of the whole are 64-bit.
class BufferTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    static constexpr int maximumRows = 1 << 17;
    static constexpr int maximumColumns = 1024;

    enum Roles { FlatIndexRole = Qt::UserRole, ValueRole, SpecialRole, MarkedRole };

    explicit BufferTableModel(QObject* parent = nullptr);

    void setBuffer(BufferSource* source, const BufferInfo& info);
    const BufferInfo& info() const { return pages_.info(); }
    BufferPages& pages() { return pages_; }

    void setColumnsBeside(const QList<ColumnBeside>& columns);
    const QList<ColumnBeside>& columnsBeside() const { return beside_; }
    bool hasRecords() const { return fields_.count() > 0 || !beside_.isEmpty(); }
    /// Of records: columns of the buffer itself; those beside them follow.
    qint64 ownColumns() const { return std::max<qint64>(1, fields_.count()); }
    const FieldColumns& fields() const { return fields_; }
    QString columnName(qint64 column) const; ///< of records; `column` is one of the whole
    ElementType columnType(qint64 column) const;

    void setWrapColumns(int columns);
    bool isWrapped() const { return info().shape.size() < 2 && !hasRecords(); }
    /// One index for each dimension before the last two.
    void setSlice(const QList<qint64>& slice);
    QList<qint64> slice() const { return slice_; }
    void setFormat(const NumberFormat& format);
    NumberFormat format() const { return format_; }
    /// Null marks nothing. The set is of this buffer.
    void setMarks(std::shared_ptr<const MismatchSet> marks, const QColor& colour);
    /// Colours the background of cells from `low` (the first colour) to `high` (the second).
    void setHeat(bool on, double low, double high, const QColor& from, const QColor& to);

    qint64 totalRows() const { return totalRows_; }
    qint64 totalColumns() const { return totalColumns_; }
    qint64 firstRow() const { return firstRow_; }
    qint64 firstColumn() const { return firstColumn_; }
    void setWindow(qint64 firstRow, qint64 firstColumn);
    /// Moves the window and the slice, when needed, so that an element can be seen; returns its cell. Of records it is
    /// the one in `column`.
    QModelIndex reveal(qint64 flatIndex, qint64 column = 0);
    /// -1 for a cell past the end of the last row.
    qint64 flatIndex(const QModelIndex& index) const;
    /// "[3, 17]", as the shape counts.
    QString positionText(qint64 flatIndex) const;
    /// "[3, 17] = 5"; of records with the name of the column.
    QString valueText(const QModelIndex& index, int digits) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

signals:
    void failed(const QString& message); ///< of a column beside

private:
    /// A value, or why it is not there; neither while it is on its way.
    struct Cell {
        ElementType type;
        const char* bytes = nullptr; ///< valid until the next cell is asked for
        QString problem;
    };
    Cell cell(qint64 flat, qint64 column) const;
    bool isMarked(qint64 flat, qint64 column) const;
    void layOut();
    void onLoaded(qint64 first, qint64 count);
    qint64 sliceOffset() const;
    QVariant recordHeader(int section, Qt::Orientation orientation, int role) const;
    QVariant heatColour(const Cell& cell, int role) const;

    mutable BufferPages pages_;
    FieldColumns fields_;
    QList<ColumnBeside> beside_;
    mutable std::vector<std::unique_ptr<BufferPages>> pagesBeside_;
    mutable QByteArray swapped_;
    std::shared_ptr<const MismatchSet> marks_;
    QColor markColour_;
    int wrapColumns_ = 8;
    QList<qint64> slice_;
    NumberFormat format_;
    qint64 totalRows_ = 0, totalColumns_ = 0, firstRow_ = 0, firstColumn_ = 0;
    bool heat_ = false;
    double heatLow_ = 0, heatHigh_ = 1;
    QColor heatFrom_, heatTo_;
};

} // namespace warplight::ui
