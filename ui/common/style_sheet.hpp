// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QFont;

namespace warplight::ui {
struct Colours;

/// What the palette cannot say: tabs, dock titles, headers, scroll bars, without bevels.
QString styleSheet(const Colours& colours, const QFont& font);

} // namespace warplight::ui
