// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSettings>

namespace warplight::ui {

/// What the window remembers: a file of the user's on every system, warplight.ini.
QSettings settings();

} // namespace warplight::ui
