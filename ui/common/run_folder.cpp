// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/run_folder.hpp"

#include "ui/common/device_id.hpp"
#include "ui/common/folders.hpp"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <exception>

namespace warplight::ui {

QString RunFolder::defaultParent() { return cacheFolder() + QStringLiteral("/warplight/runs"); }

RunFolder::RunFolder(const QString& parent) {
    if (!QDir().mkpath(parent)) return;
    const auto path = QDir(parent).filesystemPath();
    try {
        files::remove_dead_folders(path);
        folder_.emplace("window", path);
    } catch (const std::exception&) {
        // Without a folder, buffers are lost with their worker.
    }
}

QString RunFolder::of(const QString& driver) const {
    if (!folder_) return {};
    // The address of another machine is no name of a file.
    const QString name =
        isRemote(driver)
            ? QStringLiteral("%1-%2").arg(
                  driverKind(driver),
                  QString::fromLatin1(
                      QCryptographicHash::hash(driver.toUtf8(), QCryptographicHash::Sha256).toHex().left(16)))
            : driver;
    return QDir(folder_->path()).filePath(name);
}

} // namespace warplight::ui
