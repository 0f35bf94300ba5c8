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

/// Milliseconds are awkward for short kernels: an axis takes the unit that fits its largest number.
struct AxisUnit {
    double factor;
    const char* name;
};
AxisUnit unitFor(double largestMs);

} // namespace warplight::ui
