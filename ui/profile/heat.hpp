// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/profile/figures_text.hpp"

#include <QMap>
#include <functional>

namespace warplight::ui {

/// What the margin shows beside a line.
struct LineHeat {
    static constexpr int steps = 8;
    int step = -1; ///< 0 (little) to steps - 1 (most of all lines); -1: no colour
    QString tip;
};
/// Line of a file (from 1) → its heat.
using FileHeat = QMap<int, LineHeat>;

/// Of all profiled lines of files for which `isFile` holds. The hottest line of all files has the last step.
FileHeat heatOf(const profile::Profile& profile, HeatMetric metric, const std::function<bool(const QString&)>& isFile);

} // namespace warplight::ui
