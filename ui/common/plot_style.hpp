// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QCustomPlot;

namespace warplight::ui {

class Theme;

/// Background, axes, grid and legend of a plot in the theme's colours.
void stylePlot(QCustomPlot* plot, const Theme& theme);

} // namespace warplight::ui
