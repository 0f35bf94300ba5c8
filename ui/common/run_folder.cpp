// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/run_folder.hpp"

#include "ui/common/folders.hpp"

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
    return folder_ ? QDir(folder_->path()).filePath(driver) : QString();
}

} // namespace warplight::ui
