// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/sweep_report.hpp"

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>
#include <functional>
#include <memory>

namespace warplight::ui {

class Theme;

/// The points of a sweep, a row each, with the columns that they have values for.
class SweepModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Role { SortRole = Qt::UserRole, PointRole }; ///< PointRole: the index in the report

    explicit SweepModel(const Theme& theme, QObject* parent = nullptr);

    void setReport(std::shared_ptr<session::SweepReport> report);
    const session::SweepReport* report() const { return report_.get(); }
    /// A point of the report that it was set with, while the sweep runs.
    void setPoint(std::size_t index, const session::SweepPointResult& point);
    /// The column of the medians.
    int timeColumn() const { return report_ ? int(report_->axes.size()) : 0; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    struct Column {
        QString title, tip;
        bool isNumber = true;
        std::function<QString(std::size_t)> text;
        std::function<QVariant(std::size_t)> order; ///< nothing: the point has none, and comes last
    };
    void makeColumns();

    const Theme& theme_;
    std::shared_ptr<session::SweepReport> report_;
    std::vector<Column> columns_;
};

/// Rows without a value come last, whichever way the others are sorted.
class SweepOrder : public QSortFilterProxyModel {
public:
    explicit SweepOrder(QObject* parent = nullptr);

protected:
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;
};

} // namespace warplight::ui
