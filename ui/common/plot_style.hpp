// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QCustomPlot;
class QFont;

namespace warplight::ui {

class Theme;

/// Background, axes, grid and legend of a plot in the theme's colours.
void stylePlot(QCustomPlot* plot, const Theme& theme);
/// The same, with numbers and names in a font of their own.
void stylePlot(QCustomPlot* plot, const Theme& theme, const QFont& font);

} // namespace warplight::ui
