// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/agreements.hpp"

#include "ui/common/folders.hpp"
#include "ui/common/settings.hpp"

#include <QDir>
#include <algorithm>

namespace warplight::ui {
namespace {

constexpr auto listKey = "agreements";
constexpr auto programsWord = "programs"; // paths are absolute

QString cleaned(const QString& path) {
    const QString real = QFileInfo(path).canonicalFilePath();
    return real.isEmpty() ? QDir::cleanPath(QFileInfo(path).absoluteFilePath()) : real;
}

void store(const QList<Agreement>& all) {
    QSettings s = settings();
    s.remove(QLatin1String(listKey));
    s.beginWriteArray(QLatin1String(listKey), static_cast<int>(all.size()));
    for (int i = 0; i < all.size(); ++i) {
        s.setArrayIndex(i);
        s.setValue(QStringLiteral("sessions"), all[i].sessions);
        s.setValue(QStringLiteral("path"), all[i].path);
    }
    s.endArray();
}

void add(const Agreement& added) {
    QList<Agreement> all = agreements();
    if (all.contains(added)) return;
    all << added;
    store(all);
}

} // namespace

QList<Agreement> agreements() {
    QSettings s = settings();
    QList<Agreement> all;
    const int count = s.beginReadArray(QLatin1String(listKey));
    for (int i = 0; i < count; ++i) {
        s.setArrayIndex(i);
        const Agreement each{s.value(QStringLiteral("sessions")).toString(),
                             s.value(QStringLiteral("path")).toString()};
        if (!each.sessions.isEmpty() && !each.path.isEmpty()) all << each;
    }
    s.endArray();
    return all;
}

bool Agreement::isForPrograms() const { return path == QLatin1String(programsWord); }

bool programsMayRun(const QString& sessions) {
    return agreements().contains(Agreement{cleaned(sessions), QLatin1String(programsWord)});
}

void letProgramsRun(const QString& sessions) { add({cleaned(sessions), QLatin1String(programsWord)}); }

QStringList agreementsOf(const QString& sessions) {
    const QString folder = cleaned(sessions);
    QStringList paths;
    for (const Agreement& each : agreements())
        if (each.sessions == folder && !each.isForPrograms()) paths << each.path;
    return paths;
}

void agree(const QString& sessions, const QString& path) { add({cleaned(sessions), cleaned(path)}); }

void forgetAgreement(const Agreement& agreement) {
    QList<Agreement> all = agreements();
    all.removeAll(agreement);
    store(all);
}

session::Reach reachOf(const QString& sessions) {
    std::vector<std::filesystem::path> paths;
    for (const QString& path : agreementsOf(sessions))
        paths.push_back(toPath(path));
    return session::Reach(toPath(sessions), paths);
}

void agreeToChosen(const QString& sessions, const QString& file) {
    if (!reachOf(sessions).contains(toPath(file))) agree(sessions, file);
}

std::filesystem::path toPath(const QString& text) { return std::filesystem::path(text.toStdU16String()); }

QString fromPath(const std::filesystem::path& path) { return QString::fromStdU16String(path.u16string()); }

} // namespace warplight::ui
