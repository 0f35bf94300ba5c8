// SPDX-License-Identifier: GPL-3.0-or-later
/// The kernels that a program launched: a row for each kernel with each grid and block.
#pragma once

#include "launch_log/launch_log.hpp"

#include <QAbstractTableModel>
#include <QString>
#include <vector>

namespace warplight::ui {

class LaunchesModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Kernel, Grid, Block, Count, Total, Mean, Min, Max, Device, ColumnCount };
    static constexpr int SortRole = Qt::UserRole;

    using QAbstractTableModel::QAbstractTableModel;

    /// The longest in total comes first.
    void setLaunches(const std::vector<launch_log::Launch>& launches);
    QString kernel(int row) const { return rows_[std::size_t(row)].kernel; }
    /// Which launches of its kernel, in their process and from 1, the launches of a row are.
    const std::vector<quint64>& numbers(int row) const { return rows_[std::size_t(row)].numbers; }
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row {
        QString kernel, grid, block;
        int device = 0;
        qint64 count = 0, timed = 0; ///< launches, and those whose time is known
        double total = 0, min = 0, max = 0;
        std::vector<quint64> numbers = {};
    };
    QVariant value(const Row& row, int column) const;

    std::vector<Row> rows_;
};

} // namespace warplight::ui
