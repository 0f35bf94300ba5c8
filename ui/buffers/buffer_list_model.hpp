// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/buffers/buffer_source.hpp"

#include <QAbstractTableModel>
#include <QColor>

#include <functional>

namespace warplight::ui {

/// The list of buffers: the last run's, the expected ones, and opened files.
class BufferListModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Name, Role, Type, Shape, Size, Run, ColumnCount };
    enum Roles { IdRole = Qt::UserRole };

    explicit BufferListModel(QObject* parent = nullptr);

    const QList<BufferInfo>& buffers() const { return buffers_; }
    void setBuffers(const QList<BufferInfo>& buffers);
    int add(const BufferInfo& buffer);
    void removeAt(int row);
    void replace(int row, const BufferInfo& buffer);
    /// Of structs, once they are known.
    void setFields(qint64 id, const QList<BufferField>& fields);
    int rowOf(qint64 id) const; ///< -1 when there is none
    void setColours(std::function<QColor(int)> colours);
    QColor colour(int row) const { return colours_ ? colours_(row) : QColor(); }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    QList<BufferInfo> buffers_;
    std::function<QColor(int)> colours_;
};

} // namespace warplight::ui
