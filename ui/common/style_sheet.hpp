// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QFont;

namespace warplight::ui {
struct Colours;

/// What the palette cannot say: tabs, dock titles, headers, scroll bars, without bevels.
QString styleSheet(const Colours& colours, const QFont& font);

/// How much larger than normal text is now, from the zoom.
double textScale();
void setTextScale(double scale);
/// A length that grows with the text: of pictures, boxes to tick, arrows.
int scaledPixels(int pixels);

} // namespace warplight::ui
