// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/command_keys.hpp"

#include <QAction>
#include <QKeySequence>
#include <QMenu>
#include <algorithm>

namespace warplight::ui {

CommandKeys& CommandKeys::instance() {
    static CommandKeys keys;
    return keys;
}

void CommandKeys::take(const QList<QAction*>& actions) {
    for (QAction* action : actions) {
        QList<QPointer<QAction>>& known = actions_[action->objectName()];
        known.removeIf([](const QPointer<QAction>& each) { return each.isNull(); }); // of pages that are closed
        if (!known.contains(action)) known << action;
    }
    emit changed();
}

QString CommandKeys::text(const QString& command) const {
    const QList<QPointer<QAction>> known = actions_.value(command);
    const auto found =
        std::find_if(known.cbegin(), known.cend(), [](const QPointer<QAction>& each) { return !each.isNull(); });
    if (found == known.cend()) return command;
    const QAction* action = *found;
    if (!action->shortcut().isEmpty()) return action->shortcut().toString(QKeySequence::NativeText);
    QString name = QString(action->text()).remove(QLatin1Char('&'));
    for (const QObject* object : action->associatedObjects())
        if (const auto* menu = qobject_cast<const QMenu*>(object); menu && !menu->title().isEmpty())
            return QStringLiteral("%1 › %2").arg(QString(menu->title()).remove(QLatin1Char('&')), name);
    return name;
}

} // namespace warplight::ui
