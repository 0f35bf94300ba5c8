// SPDX-License-Identifier: GPL-3.0-or-later
/// Every action by name: type some letters of it, Enter does it.
#pragma once

#include <QAbstractListModel>
#include <QDialog>
#include <QPointer>

class QAction;
class QLineEdit;
class QListView;

namespace warplight::ui {

/// How a pattern fits the name of a command: 5 it is the name, 4 the name begins with it, 3 each of its words begins a
/// word, 2 it stands in the text, 1 its letters do, 0 not at all.
int matchRank(const QString& pattern, const QString& path);

/// How well a pattern's letters are found in a text, in order: higher is better, below 0 is not at all.
int fuzzyScore(const QString& pattern, const QString& text);

/// Actions that fit the filter, best first.
class ActionsModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role { PathRole = Qt::UserRole, ShortcutRole };
    struct Entry {
        QPointer<QAction> action;
        QString path;      ///< "File › Open…"
        bool file = false; ///< opens a file that was open before: no command of the program
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
