// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/heat.hpp"

#include <algorithm>
#include <cmath>

namespace warplight::ui {

FileHeat heatOf(const profile::Profile& profile, HeatMetric metric, const std::function<bool(const QString&)>& isFile) {
    FileHeat heat;
    const std::vector<profile::Line> lines = profile.lines();
    quint64 most = 0;
    for (const profile::Line& each : lines)
        most = std::max(most, heatValue(metric, each.figures));
    for (const profile::Line& each : lines) {
        if (!isFile(QString::fromStdString(each.file))) continue;
        LineHeat& to = heat[each.line];
        const quint64 value = heatValue(metric, each.figures);
        if (value > 0) to.step = std::max(0, int(std::ceil(double(value) / double(most) * LineHeat::steps)) - 1);
        to.tip = figuresText(each.figures);
    }
    return heat;
}

} // namespace warplight::ui
