// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/translations.hpp"

#include <QCoreApplication>
#include <QDir>
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

/// Each translation has the name of its language as this text's.
constexpr struct {
    const char* source;
    const char* comment;
} ownName = QT_TRANSLATE_NOOP3("warplight::ui", "English", "the name of the translation's language, in that language");

} // namespace

QList<Language> languages() {
    static const QList<Language> all = [] {
        initTranslations();
        QList<Language> found{{QStringLiteral("en"), QString::fromLatin1(ownName.source)}};
        const QString start = QStringLiteral("warplight_"), end = QStringLiteral(".qm");
        for (const QString& file : QDir(QStringLiteral(":/translations")).entryList({start + QLatin1Char('*') + end})) {
            const QString code = file.mid(start.size(), file.size() - start.size() - end.size());
            QTranslator translator;
            if (code == found.front().code || !translator.load(QStringLiteral(":/translations/") + file)) continue;
            const QString name = translator.translate("warplight::ui", ownName.source, ownName.comment);
            found.append({code, name.isEmpty() ? code : name});
        }
        return found;
    }();
    return all;
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
