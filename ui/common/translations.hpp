// SPDX-License-Identifier: GPL-3.0-or-later
/// The languages of the window: resources/translations/*.ts.
#pragma once

#include <QList>
#include <QString>
#include <QStringList>

namespace warplight::ui {

struct Language {
    QString code; ///< ISO 639-1
    QString name; ///< in itself
};
/// English first, then what resources/translations has.
QList<Language> languages();

/// The first of the wanted ones, such as "de-AT", that the window has; else English.
QString bestLanguage(const QStringList& wanted);

/// For texts that are made from now on, those of Qt's dialogs too. @param code empty: what the system prefers
void useLanguage(const QString& code);

} // namespace warplight::ui
