// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/settings.hpp"

#include "ui/common/folders.hpp"

namespace warplight::ui {

QSettings settings() {
    return QSettings(configFolder() + QStringLiteral("/warplight/warplight.ini"), QSettings::IniFormat);
}

} // namespace warplight::ui
