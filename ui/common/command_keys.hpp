// SPDX-License-Identifier: GPL-3.0-or-later
/// The keys of the window's commands in texts. The user may change them.
#pragma once

#include <QHash>
#include <QList>
#include <QObject>
#include <QPointer>
#include <QString>

class QAction;

namespace warplight::ui {

class CommandKeys : public QObject {
    Q_OBJECT
public:
    /// One for all windows, as the settings that keep the keys.
    static CommandKeys& instance();

    /// Each has an object name of its own.
    void take(const QList<QAction*>& actions);
    /// "Ctrl+B", or for a command without keys its entry in the menus, "Build › Build".
    /// @param command its object name, which is also what one gets while there is no window
    QString text(const QString& command) const;

signals:
    void changed(); ///< texts with keys are to be made anew

private:
    QHash<QString, QList<QPointer<QAction>>> actions_; ///< of each page; all have the same keys
};

inline QString commandKeys(const char* command) { return CommandKeys::instance().text(QLatin1String(command)); }

} // namespace warplight::ui
