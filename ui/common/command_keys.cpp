// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/command_keys.hpp"

#include <QAction>
#include <QKeySequence>
#include <QMenu>

namespace warplight::ui {

CommandKeys& CommandKeys::instance() {
    static CommandKeys keys;
    return keys;
}

void CommandKeys::take(const QList<QAction*>& actions) {
    for (QAction* action : actions)
        actions_.insert(action->objectName(), action);
    emit changed();
}

QString CommandKeys::text(const QString& command) const {
    const QAction* action = actions_.value(command);
    if (!action) return command;
    if (!action->shortcut().isEmpty()) return action->shortcut().toString(QKeySequence::NativeText);
    QString name = QString(action->text()).remove(QLatin1Char('&'));
    for (const QObject* object : action->associatedObjects())
        if (const auto* menu = qobject_cast<const QMenu*>(object); menu && !menu->title().isEmpty())
            return QStringLiteral("%1 › %2").arg(QString(menu->title()).remove(QLatin1Char('&')), name);
    return name;
}

} // namespace warplight::ui
