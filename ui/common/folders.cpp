// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/folders.hpp"

#include <QDir>
#include <QStandardPaths>

namespace warplight::ui {
namespace {

QString location(QStandardPaths::StandardLocation which, [[maybe_unused]] const char* below = "") {
#ifdef Q_OS_WIN
    // The variable comes first, as in core: Qt asks Windows itself, which does not look at it.
    const QString local = QDir::fromNativeSeparators(qEnvironmentVariable("LOCALAPPDATA"));
    if (QDir::isAbsolutePath(local))
        return local + QLatin1String(QStandardPaths::isTestModeEnabled() ? "/qttest" : "") + QLatin1String(below);
#endif
    return QStandardPaths::writableLocation(which);
}

} // namespace

QString configFolder() { return location(QStandardPaths::GenericConfigLocation); }

QString cacheFolder() { return location(QStandardPaths::GenericCacheLocation, "/cache"); }

QString dataFolder() { return location(QStandardPaths::GenericDataLocation); }

QString documentsFolder() {
    if (QStandardPaths::isTestModeEnabled()) return dataFolder() + QStringLiteral("/Documents");
    return QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
}

} // namespace warplight::ui
