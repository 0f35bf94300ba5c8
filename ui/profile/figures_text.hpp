// SPDX-License-Identifier: GPL-3.0-or-later
/// The figures of a profile for people, and what lines can be coloured by.
#pragma once

#include "profile/profile.hpp"

#include <QStringList>

namespace warplight::ui {

/// What a line can be coloured by in the editor's margin.
enum class HeatMetric {
    Off,
    Cost,
    Executions,
    IdleThreads,
    Sectors,
    ExcessSectors,
    Wavefronts,
    ExcessWavefronts,
    Bytes,
    Operations
};
/// In the order of the enumerators.
QStringList heatMetricNames();
/// 0 for Off.
quint64 heatValue(HeatMetric metric, const profile::Figures& figures);

quint64 allOperations(const profile::Figures& figures);
/// "32", "4.5"; empty where nothing was counted
QString meanText(quint64 sum, quint64 count);
/// "2.1 G", "512"
QString scaledCount(double count);
/// Several lines: all figures that are not 0.
QString figuresText(const profile::Figures& figures);

} // namespace warplight::ui
