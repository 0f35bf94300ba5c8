// SPDX-License-Identifier: GPL-3.0-or-later
/// Finds every action by letters of its name; Enter triggers it.
#pragma once

#include <QAbstractListModel>
#include <QDialog>
#include <QPointer>

class QAction;
class QLineEdit;
class QListView;

namespace warplight::ui {

/// How well a pattern fits the name of a command: 5 equal, 4 the name begins with it, 3 each of its words begins a word
/// of the name, 2 the text contains it, 1 the text has its letters in order, 0 not at all.
int matchRank(const QString& pattern, const QString& path);

/// Scores a pattern's letters in a text, in order: higher is better, below 0 means not found.
int fuzzyScore(const QString& pattern, const QString& text);

/// Actions that fit the filter, best first.
class ActionsModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role { PathRole = Qt::UserRole, ShortcutRole };
    struct Entry {
        QPointer<QAction> action;
        QString path;      ///< "File › Open…"
        bool file = false; ///< opens a recent file: no command of the program
    };
    using QAbstractListModel::QAbstractListModel;

    void setEntries(QList<Entry> entries);
    void setFilter(const QString& pattern);
    QAction* action(const QModelIndex& index) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    QList<Entry> entries_;
    QList<int> shown_;
};

class CommandPalette : public QDialog {
    Q_OBJECT
public:
    explicit CommandPalette(QList<ActionsModel::Entry> entries, QWidget* parent = nullptr);
    QLineEdit* filter() const { return filter_; }
    ActionsModel& model() { return *model_; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void trigger(const QModelIndex& index);

    ActionsModel* model_;
    QLineEdit* filter_;
    QListView* list_;
};

} // namespace warplight::ui
