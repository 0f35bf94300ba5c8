// SPDX-License-Identifier: GPL-3.0-or-later
/// Runs of the history as a table, the newest first. It reads a page at a time.
#pragma once

#include "history/history.hpp"

#include <QAbstractTableModel>
#include <atomic>
#include <memory>

namespace warplight::ui {

class RunHistory;
class Theme;

class HistoryModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Pin, When, Label, Kernel, Launch, Change, Median, Result, Device, ColumnCount };

    HistoryModel(RunHistory& history, const Theme& theme, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    /// Labels can be edited in the table.
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    bool canFetchMore(const QModelIndex& parent) const override;
    void fetchMore(const QModelIndex& parent) override;

    /// Shows runs that fit; `answered` follows.
    void setQuery(const history::Query& query);
    const history::Query& query() const { return query_; }
    /// Reads the shown runs again; rows that stay keep their place and their selection.
    void refresh();
    const history::Entry& entry(int row) const { return rows_[static_cast<std::size_t>(row)]; }
    int rowOf(qint64 id) const;             ///< -1 where it is not shown
    qint64 total() const { return total_; } ///< runs that fit, also those that no page has read yet

signals:
    void answered();     ///< the rows are those of the query
    void totalChanged(); ///< the history has counted
    void failed(const QString& problem);

private:
    static constexpr std::size_t page = 200;
    void load(bool keepRows);
    void countAll();
    void takeAll(std::vector<history::Entry> rows, std::size_t limit);
    void merge(std::vector<history::Entry> rows);

    RunHistory& history_;
    const Theme& theme_;
    history::Query query_;
    std::vector<history::Entry> rows_;
    qint64 total_ = 0;
    bool more_ = false, fetching_ = false;
    /// The number of the newest request: the history's thread skips older ones.
    std::shared_ptr<std::atomic<int>> newest_ = std::make_shared<std::atomic<int>>(0);
};

} // namespace warplight::ui
