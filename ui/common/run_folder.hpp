// SPDX-License-Identifier: GPL-3.0-or-later
/// Where the workers of this window keep what runs leave. The folder goes with the window.
#pragma once

#include <QLockFile>
#include <QString>
#include <memory>

namespace warplight::ui {

class RunFolder {
public:
    /// Makes a folder of its own in `parent`, and removes those of windows that are gone.
    explicit RunFolder(const QString& parent = defaultParent());
    /// Removes the folder. Workers must have ended: not every system removes files that are mapped.
    ~RunFolder();
    RunFolder(const RunFolder&) = delete;
    RunFolder& operator=(const RunFolder&) = delete;

    /// For one worker; empty where the cache cannot be written.
    QString of(const QString& driver) const;

    static QString defaultParent(); ///< warplight/runs in the user's cache

private:
    QString path_;
    std::unique_ptr<QLockFile> lock_; ///< dies with the process
};

} // namespace warplight::ui
