// SPDX-License-Identifier: GPL-3.0-or-later
/// The user's own folders, outside of Warplight's: each caller appends its own name.
#pragma once

#include <QString>

namespace warplight::ui {

/// Settings.
QString configFolder();
/// What can be made again.
QString cacheFolder();
/// What lasts, but is no document.
QString dataFolder();
/// Documents. In Qt's test mode a folder in `dataFolder`.
QString documentsFolder();

} // namespace warplight::ui
