// SPDX-License-Identifier: GPL-3.0-or-later
/// What the user lets sessions use outside of their folders, and where programs may run. Kept in the settings, for each
/// session folder.
#pragma once

#include "session/reach.hpp"

#include <QList>
#include <QString>
#include <QStringList>

namespace warplight::ui {

struct Agreement {
    QString sessions; ///< the folder of the sessions
    QString path;     ///< the folder, with all below it, or the file that they may use; or the word for programs
    bool isForPrograms() const; ///< programs in the folder may run, which nothing confines
    friend bool operator==(const Agreement&, const Agreement&) = default;
};

QList<Agreement> agreements();
/// The paths that sessions in this folder may use.
QStringList agreementsOf(const QString& sessions);
void agree(const QString& sessions, const QString& path);
bool programsMayRun(const QString& sessions);
void letProgramsRun(const QString& sessions);
void forgetAgreement(const Agreement& agreement);

/// What a session in this folder may use.
session::Reach reachOf(const QString& sessions);
/// The user has chosen this file in the window: sessions in the folder may use it from now on.
void agreeToChosen(const QString& sessions, const QString& file);

std::filesystem::path toPath(const QString& text);
QString fromPath(const std::filesystem::path& path);

} // namespace warplight::ui
