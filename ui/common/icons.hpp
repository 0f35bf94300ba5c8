// SPDX-License-Identifier: GPL-3.0-or-later
/// The workbench's own icons: strokes of one width, drawn in the colour of the palette that is current
/// when they are painted, so that a change of theme needs no new icons.
#pragma once

#include <QColor>
#include <QIcon>

namespace warplight::ui {

/// resources/icons/NAME.svg. Unknown names are a null icon.
QIcon icon(const QString& name);
/// The same in a colour that does not follow the palette (a state).
QIcon icon(const QString& name, const QColor& colour);

} // namespace warplight::ui
