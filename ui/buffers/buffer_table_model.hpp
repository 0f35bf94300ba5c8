// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/buffers/buffer_pages.hpp"

#include <QAbstractTableModel>
#include <QColor>

namespace warplight::ui {

/// A buffer as rows and columns, read page by page as cells are looked at.
///
/// A one-dimensional buffer is wrapped into `wrapColumns` columns; of one with more dimensions the last two are shown
/// and `slice` chooses the rest. A model has at most `maximumRows` × `maximumColumns` cells: a larger buffer is seen
/// through a window of that size, which `setWindow` (and `reveal`) moves; rows and columns of the whole are 64-bit.
class BufferTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    static constexpr int maximumRows = 1 << 17;
    static constexpr int maximumColumns = 1024;

    enum Roles { FlatIndexRole = Qt::UserRole, ValueRole, SpecialRole };

    explicit BufferTableModel(QObject* parent = nullptr);

    void setBuffer(BufferSource* source, const BufferInfo& info);
    const BufferInfo& info() const { return pages_.info(); }
    BufferPages& pages() { return pages_; }

    void setWrapColumns(int columns);
    bool isWrapped() const { return info().shape.size() < 2; }
    /// One index for each dimension before the last two.
    void setSlice(const QList<qint64>& slice);
    QList<qint64> slice() const { return slice_; }
    void setFormat(const NumberFormat& format);
    NumberFormat format() const { return format_; }
    /// Colours the background of cells from `low` (the first colour) to `high` (the second).
    void setHeat(bool on, double low, double high, const QColor& from, const QColor& to);

    qint64 totalRows() const { return totalRows_; }
    qint64 totalColumns() const { return totalColumns_; }
    qint64 firstRow() const { return firstRow_; }
    qint64 firstColumn() const { return firstColumn_; }
    void setWindow(qint64 firstRow, qint64 firstColumn);
    /// Moves the window and the slice, when needed, so that an element can be seen; returns its cell.
    QModelIndex reveal(qint64 flatIndex);
    /// -1 for a cell past the end of the last row.
    qint64 flatIndex(const QModelIndex& index) const;
    /// "[3, 17]", as the shape counts.
    QString positionText(qint64 flatIndex) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    void layOut();
    void onLoaded(qint64 first, qint64 count);
    qint64 sliceOffset() const;

    mutable BufferPages pages_;
    int wrapColumns_ = 8;
    QList<qint64> slice_;
    NumberFormat format_;
    qint64 totalRows_ = 0, totalColumns_ = 0, firstRow_ = 0, firstColumn_ = 0;
    bool heat_ = false;
    double heatLow_ = 0, heatHigh_ = 1;
    QColor heatFrom_, heatTo_;
};

} // namespace warplight::ui
