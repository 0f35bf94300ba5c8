// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QFont;

namespace warplight::ui {
struct Colours;

/// Styles that a palette cannot express: tabs, dock titles, headers and scroll bars without bevels.
QString styleSheet(const Colours& colours, const QFont& font);

/// The size of text relative to normal, from the zoom.
double textScale();
void setTextScale(double scale);
/// A length that grows with the text: of pictures, boxes to tick, arrows.
int scaledPixels(int pixels);

} // namespace warplight::ui
