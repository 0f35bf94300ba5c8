// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/preferences.hpp"

#include "ui/common/folders.hpp"
#include "ui/common/settings.hpp"

#include <QDir>
#include <QFileInfo>
#include <QMetaEnum>
#include <QStandardPaths>
#include <algorithm>

namespace warplight::ui {
namespace {

constexpr int mostRecentFiles = 12;

} // namespace

Preferences Preferences::load() {
    const QSettings s = settings();
    Preferences p;
    const auto modes = QMetaEnum::fromType<Theme::Mode>();
    bool known = false;
    const int mode = modes.keyToValue(s.value(QStringLiteral("theme")).toString().toLatin1().constData(), &known);
    if (known) p.theme = static_cast<Theme::Mode>(mode);
    p.language = s.value(QStringLiteral("language")).toString();
    p.fontFamily = s.value(QStringLiteral("font/family")).toString();
    p.fontSize = s.value(QStringLiteral("font/size"), p.fontSize).toInt();
    p.zoom = s.value(QStringLiteral("font/zoom"), 0).toInt();
    p.compiler = s.value(QStringLiteral("compile/compiler"), p.compiler).toString();
    p.compileOptions = s.value(QStringLiteral("compile/options")).toStringList();
    p.lineInfo = s.value(QStringLiteral("compile/lineInfo"), true).toBool();
    p.cacheMiB = s.value(QStringLiteral("compile/cacheMiB"), p.cacheMiB).toInt();
    p.autosave = s.value(QStringLiteral("autosave"), true).toBool();
    p.checkWhileTyping = s.value(QStringLiteral("checkWhileTyping"), true).toBool();
    p.restoreTabs = s.value(QStringLiteral("restoreTabs"), true).toBool();
    p.lingerMinutes = std::clamp(s.value(QStringLiteral("remote/lingerMinutes"), p.lingerMinutes).toInt(),
                                 leastLingerMinutes, mostLingerMinutes);
    p.keepRuns = s.value(QStringLiteral("history/keep"), true).toBool();
    p.keptRuns = std::clamp(s.value(QStringLiteral("history/most"), p.keptRuns).toInt(), leastKeptRuns, mostKeptRuns);
    return p;
}

void Preferences::save() const {
    QSettings s = settings();
    s.setValue(QStringLiteral("theme"),
               QString::fromLatin1(QMetaEnum::fromType<Theme::Mode>().valueToKey(static_cast<int>(theme))));
    s.setValue(QStringLiteral("language"), language);
    s.setValue(QStringLiteral("font/family"), fontFamily);
    s.setValue(QStringLiteral("font/size"), fontSize);
    s.setValue(QStringLiteral("font/zoom"), zoom);
    s.setValue(QStringLiteral("compile/compiler"), compiler);
    s.setValue(QStringLiteral("compile/options"), compileOptions);
    s.setValue(QStringLiteral("compile/lineInfo"), lineInfo);
    s.setValue(QStringLiteral("compile/cacheMiB"), cacheMiB);
    s.setValue(QStringLiteral("autosave"), autosave);
    s.setValue(QStringLiteral("checkWhileTyping"), checkWhileTyping);
    s.setValue(QStringLiteral("restoreTabs"), restoreTabs);
    s.setValue(QStringLiteral("remote/lingerMinutes"), lingerMinutes);
    s.setValue(QStringLiteral("history/keep"), keepRuns);
    s.setValue(QStringLiteral("history/most"), keptRuns);
}

QStringList recentFiles() { return settings().value(QStringLiteral("recentFiles")).toStringList(); }

void addRecentFile(const QString& path) {
    QStringList files = recentFiles();
    const QString absolute = QFileInfo(path).absoluteFilePath();
    files.removeAll(absolute);
    files.prepend(absolute);
    settings().setValue(QStringLiteral("recentFiles"), QStringList(files.mid(0, mostRecentFiles)));
}

void clearRecentFiles() { settings().remove(QStringLiteral("recentFiles")); }

QByteArray savedLayout(const QString& key) { return settings().value(QStringLiteral("layout/") + key).toByteArray(); }

void saveLayout(const QString& key, const QByteArray& value) {
    settings().setValue(QStringLiteral("layout/") + key, value);
}

QString stateFolder() {
    QString folder;
    if (QStandardPaths::isTestModeEnabled()) {
        folder = dataFolder() + QStringLiteral("/state");
    } else {
#ifdef Q_OS_WIN
        folder = dataFolder();
#else
        // QStandardPaths::StateLocation comes with Qt 6.7.
        folder = qEnvironmentVariable("XDG_STATE_HOME");
        if (!QDir::isAbsolutePath(folder)) folder = QDir::homePath() + QStringLiteral("/.local/state");
#endif
    }
    folder += QStringLiteral("/warplight");
    QDir().mkpath(folder);
    return folder;
}

} // namespace warplight::ui
