// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/history/history_model.hpp"

#include "ui/common/format.hpp"
#include "ui/common/icons.hpp"
#include "ui/common/run_history.hpp"
#include "ui/common/theme.hpp"
#include "ui/common/timing_words.hpp"
#include "ui/history/run_text.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace warplight::ui {

using history::Entry;

HistoryModel::HistoryModel(RunHistory& history, const Theme& theme, QObject* parent)
    : QAbstractTableModel(parent), history_(history), theme_(theme) {}

int HistoryModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(rows_.size()); }

int HistoryModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

int HistoryModel::rowOf(qint64 id) const {
    const auto found = std::lower_bound(rows_.begin(), rows_.end(), id,
                                        [](const Entry& entry, qint64 wanted) { return entry.id > wanted; });
    return found != rows_.end() && found->id == id ? int(found - rows_.begin()) : -1;
}

QVariant HistoryModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const Entry& run = entry(index.row());
    const auto text = [](const std::string& value) { return QString::fromStdString(value); };
    switch (role) {
    case Qt::TextAlignmentRole: return index.column() == Median ? int(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
    case Qt::DecorationRole:
        if (index.column() == Pin && run.pinned) return icon(QStringLiteral("pin"));
        if (index.column() == Label && !run.note.empty()) return icon(QStringLiteral("note"));
        if (index.column() == Result) return resultIcon(run.status, theme_);
        if (index.column() == Median && !run.clocks.empty())
            return icon(QStringLiteral("warning"), theme_.colours().warning);
        return {};
    case Qt::AccessibleTextRole:
        if (index.column() == Pin) return run.pinned ? tr("pinned") : tr("not pinned");
        if (index.column() == Median && !run.clocks.empty())
            return formatMs(run.kernel_ms) + QStringLiteral(". ") + clockDoubts(run.clocks).join(QLatin1Char(' '));
        return {};
    case Qt::ToolTipRole:
        switch (index.column()) {
        case Pin: return run.pinned ? tr("Pinned: it stays when old runs are removed") : QVariant();
        case When: return tr("Run %1").arg(run.id);
        case Label: return run.note.empty() ? QVariant() : text(run.note);
        case Kernel: return run.session.empty() ? text(run.title) : text(run.session);
        case Launch: return run.options.empty() ? QVariant() : tr("Compile options: %1").arg(text(run.options));
        case Change: return text(run.change);
        case Median: {
            QStringList lines{run.repeat == 1 ? tr("One repeat") : tr("Median of %1 repeats").arg(run.repeat)};
            return (lines + clockDoubts(run.clocks)).join(QLatin1Char('\n'));
        }
        case Result: return resultTip(run.status);
        case Device: return text(run.device);
        default: return {};
        }
    case Qt::EditRole:
        if (index.column() == Label) return text(run.label);
        [[fallthrough]];
    case Qt::DisplayRole:
        switch (index.column()) {
        case When: return runTime(run);
        case Label: return text(run.label);
        case Kernel: return text(run.kernel);
        case Launch: return runLaunch(run);
        case Change: return text(run.change);
        case Median: return run.kernel_ms > 0 ? formatMs(run.kernel_ms) : QStringLiteral("–");
        case Result: return resultText(run.status);
        case Device: return text(run.device);
        default: return {};
        }
    default: return {};
    }
}

QVariant HistoryModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole)
        return int((section == Median ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && section == Change) return tr("What differs from the run before of the same session");
    if (role == Qt::AccessibleTextRole && section == Pin) return tr("Pinned");
    if (role != Qt::DisplayRole) return {};
    switch (section) {
    case When: return tr("Time");
    case Label: return tr("Label");
    case Kernel: return tr("Kernel");
    case Launch: return tr("Grid × block");
    case Change: return tr("Changed");
    case Median: return tr("Median");
    case Result: return tr("Result");
    case Device: return tr("Device");
    default: return {};
    }
}

Qt::ItemFlags HistoryModel::flags(const QModelIndex& index) const {
    const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    return index.isValid() && index.column() == Label ? flags | Qt::ItemIsEditable : flags;
}

bool HistoryModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (!index.isValid() || index.column() != Label || role != Qt::EditRole) return false;
    Entry& run = rows_[static_cast<std::size_t>(index.row())];
    const std::string label = value.toString().trimmed().toStdString();
    if (label == run.label) return true;
    run.label = label;
    emit dataChanged(index, index);
    history_.change(
        this,
        [id = run.id, label](history::History& history) {
            history.set_label(id, label);
            return std::function<void()>();
        },
        [this](const QString& problem) {
            emit failed(problem);
            refresh();
        });
    return true;
}

void HistoryModel::setQuery(const history::Query& query) {
    query_ = query;
    load(false);
}

void HistoryModel::refresh() { load(true); }

void HistoryModel::load(bool keepRows) {
    const int number = ++*newest_;
    history::Query query = query_;
    query.limit = keepRows ? std::max(page, rows_.size()) : page;
    fetching_ = true;
    history_.read(
        this,
        [this, newest = newest_, number, query, keepRows](history::History& history) -> std::function<void()> {
            if (*newest != number) return {};
            return [this, number, keepRows, limit = query.limit, rows = history.find(query)]() mutable {
                if (*newest_ != number) return;
                if (!keepRows) {
                    beginResetModel();
                    rows_.clear();
                    endResetModel();
                }
                takeAll(std::move(rows), limit);
            };
        },
        [this, number](const QString& problem) {
            if (*newest_ != number) return;
            fetching_ = more_ = false;
            emit failed(problem);
        });
    countAll();
}

/// Later than the rows: a search need not wait for it.
void HistoryModel::countAll() {
    history_.read(this,
                  [this, newest = newest_, number = newest_->load(),
                   query = query_](history::History& history) -> std::function<void()> {
                      if (*newest != number) return {};
                      return [this, number, count = qint64(history.count(query))] {
                          if (*newest_ != number) return;
                          total_ = count;
                          emit totalChanged();
                      };
                  },
                  {});
}

void HistoryModel::takeAll(std::vector<Entry> rows, std::size_t limit) {
    fetching_ = false;
    more_ = rows.size() == limit;
    merge(std::move(rows));
    emit answered();
}

/// Both lists have descending numbers.
void HistoryModel::merge(std::vector<Entry> rows) {
    for (int row = rowCount() - 1; row >= 0; --row) {
        const qint64 id = entry(row).id;
        const bool stays = std::ranges::binary_search(rows, id, std::greater<>(), &Entry::id);
        if (stays) continue;
        beginRemoveRows({}, row, row);
        rows_.erase(rows_.begin() + row);
        endRemoveRows();
    }
    for (std::size_t at = 0; at < rows.size();) {
        std::size_t end = at;
        while (end < rows.size() && (at >= rows_.size() || rows[end].id > rows_[at].id))
            ++end;
        if (end > at) {
            beginInsertRows({}, int(at), int(end) - 1);
            rows_.insert(rows_.begin() + std::ptrdiff_t(at), rows.begin() + std::ptrdiff_t(at),
                         rows.begin() + std::ptrdiff_t(end));
            endInsertRows();
            at = end;
        } else {
            ++at; // it was there
        }
    }
    rows_ = std::move(rows);
    if (!rows_.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

bool HistoryModel::canFetchMore(const QModelIndex& parent) const { return !parent.isValid() && more_ && !fetching_; }

void HistoryModel::fetchMore(const QModelIndex& parent) {
    if (!canFetchMore(parent)) return;
    fetching_ = true;
    history::Query query = query_;
    query.limit = page;
    query.before = rows_.back().id;
    history_.read(
        this,
        [this, newest = newest_, number = newest_->load(), query](history::History& history) -> std::function<void()> {
            if (*newest != number) return {};
            return [this, number, rows = history.find(query)] {
                if (*newest_ != number) return;
                fetching_ = false;
                more_ = rows.size() == page;
                if (rows.empty()) return;
                beginInsertRows({}, rowCount(), rowCount() + int(rows.size()) - 1);
                rows_.insert(rows_.end(), rows.begin(), rows.end());
                endInsertRows();
            };
        },
        [this, number = newest_->load()](const QString& problem) {
            if (*newest_ != number) return;
            fetching_ = more_ = false;
            emit failed(problem);
        });
}

} // namespace warplight::ui
