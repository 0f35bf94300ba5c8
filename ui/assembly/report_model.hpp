// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "warplight/compiler.hpp"

#include <QAbstractTableModel>
#include <QColor>

namespace warplight::ui {

/// The ptxas report: a row a kernel.
class ReportModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Kernel, Registers, SpillStores, SpillLoads, Shared, Constant, Stack, Barriers, ColumnCount };
    enum Roles { SortRole = Qt::UserRole, SpillRole };

    explicit ReportModel(QObject* parent = nullptr);

    void setResources(const std::vector<compiler::KernelResources>& resources);
    void setColours(const QColor& spill, const QColor& spillText);
    const compiler::KernelResources& resources(int row) const { return rows_[size_t(row)]; }
    bool hasSpills() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    std::vector<compiler::KernelResources> rows_;
    QColor spill_, spillText_;
};

} // namespace warplight::ui
