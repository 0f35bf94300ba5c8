// SPDX-License-Identifier: GPL-3.0-or-later
/// The folder where this window's workers keep the buffers of runs. It is removed with the window.
#pragma once

#include <QLockFile>
#include <QString>
#include <memory>

namespace warplight::ui {

class RunFolder {
public:
    /// Makes a folder of its own in `parent`, and removes those of windows that are gone.
    explicit RunFolder(const QString& parent = defaultParent());
    /// Removes the folder. Workers must have ended, because some systems do not remove mapped files.
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
