// SPDX-License-Identifier: GPL-3.0-or-later
/// Keys of the window's commands, which the user may change. Kept in the settings by the object names of the actions.
#pragma once

#include <QHash>
#include <QKeySequence>
#include <QList>
#include <QString>

class QAction;

namespace warplight::ui {

class Shortcuts {
public:
    /// Gives these actions the keys that the user has chosen. Each has an object name of its own.
    void take(const QList<QAction*>& actions);
    const QList<QAction*>& actions() const { return actions_; }

    bool isChanged(const QAction* action) const;
    /// Why these keys cannot be a command's; empty when they can.
    static QString problem(const QKeySequence& keys);
    /// Another command that has these keys, or keys that begin like them; null: none.
    QAction* ownerOf(const QKeySequence& keys, const QAction* except) const;
    /// Sets the only keys of a command; empty: it has none. Others that had them lose them.
    void set(QAction* action, const QKeySequence& keys);
    /// Gives a command the keys that it came with; others that have them now lose them.
    void restore(QAction* action);
    void restoreAll();
    /// Takes over what another page's dialog has changed.
    void readAgain();

private:
    void apply(QAction* action, const QList<QKeySequence>& keys);
    void keep(const QAction* action) const;
    void release(const QKeySequence& keys, const QAction* except);

    QList<QAction*> actions_;
    QHash<const QAction*, QList<QKeySequence>> own_; ///< that they came with
};

} // namespace warplight::ui
