// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/shortcuts.hpp"

#include "ui/common/command_keys.hpp"
#include "ui/common/settings.hpp"

#include <QAction>
#include <QCoreApplication>
#include <QStringList>

namespace warplight::ui {
namespace {

QString settingOf(const QAction* action) { return QStringLiteral("shortcuts/") + action->objectName(); }

QString shown(const QKeySequence& keys) { return keys.toString(QKeySequence::NativeText); }

bool clash(const QKeySequence& a, const QKeySequence& b) {
    return !a.isEmpty() && !b.isEmpty() &&
           (a.matches(b) != QKeySequence::NoMatch || b.matches(a) != QKeySequence::NoMatch);
}

} // namespace

void Shortcuts::take(const QList<QAction*>& actions) {
    for (QAction* action : actions) {
        if (action->objectName().isEmpty() || own_.contains(action)) continue;
        actions_ << action;
        own_.insert(action, action->shortcuts());
    }
    readAgain();
    CommandKeys::instance().take(actions_);
}

void Shortcuts::readAgain() {
    const QSettings kept = settings();
    for (QAction* action : std::as_const(actions_)) {
        const QVariant value = kept.value(settingOf(action));
        QList<QKeySequence> keys;
        for (const QString& text : value.toStringList())
            if (const QKeySequence one(text, QKeySequence::PortableText); !one.isEmpty() && problem(one).isEmpty())
                keys << one;
        apply(action, value.isValid() ? keys : own_.value(action));
    }
}

bool Shortcuts::isChanged(const QAction* action) const { return action->shortcuts() != own_.value(action); }

QString Shortcuts::problem(const QKeySequence& keys) {
    if (keys.isEmpty()) return {};
    const QKeyCombination first = keys[0];
    const bool hasModifier =
        (first.keyboardModifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) != 0;
    const bool isFunction = first.key() >= Qt::Key_F1 && first.key() <= Qt::Key_F35;
    if (hasModifier || isFunction) return {};
    return QCoreApplication::translate("Shortcuts", "%1 is for typing and moving. Take Ctrl, Alt or a function key.")
        .arg(shown(keys));
}

QAction* Shortcuts::ownerOf(const QKeySequence& keys, const QAction* except) const {
    for (QAction* action : actions_) {
        if (action == except) continue;
        for (const QKeySequence& one : action->shortcuts())
            if (clash(one, keys)) return action;
    }
    return nullptr;
}

void Shortcuts::apply(QAction* action, const QList<QKeySequence>& keys) {
    if (action->shortcuts() == keys) return;
    // Tips end with the keys.
    const QString before = shown(action->shortcut());
    QString tip = action->toolTip();
    action->setShortcuts(keys);
    emit CommandKeys::instance().changed();
    const QString after = shown(action->shortcut());
    if (const QString tail = QStringLiteral(" (%1)").arg(before); !before.isEmpty() && tip.endsWith(tail))
        tip.chop(tail.size());
    else if (!before.isEmpty())
        return;
    action->setToolTip(after.isEmpty() ? tip : QStringLiteral("%1 (%2)").arg(tip, after));
}

void Shortcuts::keep(const QAction* action) const {
    QSettings kept = settings();
    if (!isChanged(action)) return kept.remove(settingOf(action));
    QStringList texts;
    for (const QKeySequence& keys : action->shortcuts())
        texts << keys.toString(QKeySequence::PortableText);
    kept.setValue(settingOf(action), texts.isEmpty() ? QStringList{QString()} : texts);
}

void Shortcuts::release(const QKeySequence& keys, const QAction* except) {
    while (QAction* other = ownerOf(keys, except)) {
        QList<QKeySequence> left = other->shortcuts();
        left.removeIf([&](const QKeySequence& one) { return clash(one, keys); });
        apply(other, left);
        keep(other);
    }
}

void Shortcuts::set(QAction* action, const QKeySequence& keys) {
    release(keys, action);
    apply(action, keys.isEmpty() ? QList<QKeySequence>() : QList<QKeySequence>{keys});
    keep(action);
}

void Shortcuts::restore(QAction* action) {
    for (const QKeySequence& keys : own_.value(action))
        release(keys, action);
    apply(action, own_.value(action));
    keep(action);
}

void Shortcuts::restoreAll() {
    for (QAction* action : std::as_const(actions_)) {
        apply(action, own_.value(action));
        keep(action);
    }
}

} // namespace warplight::ui
