// SPDX-License-Identifier: GPL-3.0-or-later
/// The user's settings, kept in warplight.ini of the configuration folder, and the folder for state.
#pragma once

#include "ui/common/theme.hpp"

#include <QByteArray>
#include <QStringList>

namespace warplight::ui {

inline constexpr int leastKeptRuns = 10, mostKeptRuns = 1000000;
inline constexpr int leastLingerMinutes = 1, mostLingerMinutes = 24 * 60;

struct Preferences {
    Theme::Mode theme = Theme::Mode::System;
    QString language;   ///< its code; empty: the system's
    QString fontFamily; ///< monospace; empty: the first good one
    int fontSize = 10;
    int zoom = 0;
    QString compiler = QStringLiteral("nvrtc"); ///< of new sessions
    QStringList compileOptions;                 ///< of new sessions
    bool lineInfo = true;                       ///< of new sessions
    int cacheMiB = 512;                         ///< compile cache of the workers
    bool autosave = true;
    bool checkWhileTyping = true;
    bool restoreTabs = true; ///< sessions of last time are opened again at the start
    int lingerMinutes = 10;  ///< so long another machine goes on without a connection
    bool keepRuns = true;    ///< in the history
    int keptRuns = 10000;    ///< there, without pinned ones; older ones are removed

    static Preferences load();
    void save() const;
    friend bool operator==(const Preferences&, const Preferences&) = default;
};

/// Newest first, at most 12.
QStringList recentFiles();
void addRecentFile(const QString& path);
void clearRecentFiles();

QByteArray savedLayout(const QString& key);
void saveLayout(const QString& key, const QByteArray& value);

/// $XDG_STATE_HOME/warplight, %LOCALAPPDATA%\warplight on Windows; a folder of its own in test mode. Made when needed.
QString stateFolder();

} // namespace warplight::ui
