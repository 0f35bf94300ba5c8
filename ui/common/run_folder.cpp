// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/run_folder.hpp"

#include <QDir>
#include <QStandardPaths>
#include <QUuid>

namespace warplight::ui {

QString RunFolder::defaultParent() {
    return QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation) + QStringLiteral("/warplight/runs");
}

RunFolder::RunFolder(const QString& parent) {
    QDir runs(parent);
    if (!runs.mkpath(QStringLiteral("."))) return;
    for (const QString& name : runs.entryList({QStringLiteral("*.lock")}, QDir::Files)) {
        QLockFile other(runs.filePath(name));
        other.setStaleLockTime(0); // a lock is stale when its process is gone, however old it is
        if (!other.tryLock()) continue;
        QDir(runs.filePath(name.chopped(5))).removeRecursively();
        other.unlock(); // removes the file
    }
    const QString name = QUuid::createUuid().toString(QUuid::WithoutBraces);
    auto lock = std::make_unique<QLockFile>(runs.filePath(name + QStringLiteral(".lock")));
    lock->setStaleLockTime(0);
    if (!lock->tryLock() || !runs.mkpath(name)) return;
    path_ = runs.filePath(name);
    lock_ = std::move(lock);
}

RunFolder::~RunFolder() {
    if (!path_.isEmpty()) QDir(path_).removeRecursively();
}

QString RunFolder::of(const QString& driver) const {
    return path_.isEmpty() ? QString() : path_ + QLatin1Char('/') + driver;
}

} // namespace warplight::ui
