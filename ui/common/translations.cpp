// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/translations.hpp"

#include <QCoreApplication>
#include <QLocale>
#include <QPointer>
#include <QTranslator>

// Of a static library's resources; outside of any namespace, as Qt's macro needs it.
static void initTranslations() { Q_INIT_RESOURCE(translations); }

namespace warplight::ui {
namespace {

/// A file of the program's own resources, until another takes its place.
void install(QPointer<QTranslator>& kept, const QString& file) {
    if (kept) {
        QCoreApplication::removeTranslator(kept);
        delete kept;
    }
    auto* translator = new QTranslator(QCoreApplication::instance());
    kept = translator;
    if (translator->load(file, QStringLiteral(":/translations"))) QCoreApplication::installTranslator(translator);
}

} // namespace

QList<Language> languages() {
    return {{QStringLiteral("en"), QStringLiteral("English")},
            {QStringLiteral("de"), QStringLiteral("Deutsch")},
            {QStringLiteral("fr"), QStringLiteral("Français")}};
}

QString bestLanguage(const QStringList& wanted) {
    const QList<Language> all = languages();
    for (const QString& each : wanted)
        for (const Language& language : all)
            if (each.left(each.indexOf(QLatin1Char('-'))) == language.code) return language.code;
    return all.front().code;
}

void useLanguage(const QString& code) {
    initTranslations();
    const QString language = code.isEmpty() ? bestLanguage(QLocale::system().uiLanguages()) : bestLanguage({code});
    static QPointer<QTranslator> ofQt, own;
    install(ofQt, QStringLiteral("qtbase_") + language);
    install(own, QStringLiteral("warplight_") + language);
}

} // namespace warplight::ui
