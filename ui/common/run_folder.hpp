// SPDX-License-Identifier: GPL-3.0-or-later
/// The folder where this window's workers keep the buffers of runs. It is removed with the window.
#pragma once

#include "files/held_folder.hpp"

#include <QString>
#include <optional>

namespace warplight::ui {

/// Its end removes the folder. Workers must have ended by then, because some systems do not remove mapped files.
class RunFolder {
public:
    /// Makes a folder of its own in `parent`, and removes those of windows that are gone.
    explicit RunFolder(const QString& parent = defaultParent());

    /// For one worker; empty where the cache cannot be written.
    QString of(const QString& driver) const;

    static QString defaultParent(); ///< warplight/runs in the user's cache

private:
    std::optional<files::HeldFolder> folder_;
};

} // namespace warplight::ui
