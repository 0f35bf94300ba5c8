// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/figures_text.hpp"

#include "ui/common/format.hpp"

#include <QCoreApplication>

#include <cmath>
#include <numeric>

namespace warplight::ui {

namespace {

struct ProfileText {
    Q_DECLARE_TR_FUNCTIONS(ProfileText)
};

QString countText(quint64 value) { return formatCount(qint64(value)); }

} // namespace

QStringList heatMetricNames() {
    return {ProfileText::tr("No colours"), ProfileText::tr("Cost"),
            ProfileText::tr("Executions"), ProfileText::tr("Divergence"),
            ProfileText::tr("Sectors"),    ProfileText::tr("Excess sectors"),
            ProfileText::tr("Wavefronts"), ProfileText::tr("Excess wavefronts"),
            ProfileText::tr("Bytes"),      ProfileText::tr("Operations")};
}

quint64 heatValue(HeatMetric metric, const profile::Figures& f) {
    switch (metric) {
    case HeatMetric::Off: return 0;
    case HeatMetric::Cost: return profile::cost_of(f);
    case HeatMetric::Executions: return f.executions;
    case HeatMetric::IdleThreads: return f.executions * 32 - f.active_lanes;
    case HeatMetric::Sectors: return f.sectors;
    case HeatMetric::ExcessSectors: return f.sectors - f.sectors_ideal;
    case HeatMetric::Wavefronts: return f.wavefronts;
    case HeatMetric::ExcessWavefronts: return f.wavefronts - f.wavefronts_ideal;
    case HeatMetric::Bytes: return f.bytes;
    case HeatMetric::Operations: return allOperations(f);
    }
    return 0;
}

quint64 allOperations(const profile::Figures& f) {
    return std::accumulate(f.operations.begin(), f.operations.end(), quint64(0));
}

QString meanText(quint64 sum, quint64 number) {
    if (number == 0) return {};
    const double mean = double(sum) / double(number);
    const bool whole = std::abs(mean - std::round(mean)) < 0.05;
    return QString::number(mean, 'f', whole ? 0 : 1);
}

QString scaledCount(double value) {
    static constexpr const char* units[] = {"", " k", " M", " G", " T", " P"};
    std::size_t unit = 0;
    while (value >= 999.5 && unit + 1 < std::size(units)) {
        value /= 1000;
        ++unit;
    }
    return QString::number(value, 'g', 3) + QLatin1String(units[unit]);
}

QString figuresText(const profile::Figures& f) {
    QStringList lines;
    lines << ProfileText::tr("%1 executions by warps, with %2 of 32 threads on average")
                 .arg(countText(f.executions), meanText(f.active_lanes, f.executions));
    if (f.divergent_branches)
        lines << ProfileText::tr("%1 branches from which the threads of a warp went two ways")
                     .arg(countText(f.divergent_branches));
    if (f.requests)
        lines << ProfileText::tr("Global memory: %1 requests, %2 sectors (%3 would do), %4")
                     .arg(countText(f.requests), countText(f.sectors), countText(f.sectors_ideal),
                          formatBytes(f.bytes));
    if (f.shared_requests)
        lines << ProfileText::tr("Shared memory: %1 requests, %2 wavefronts (%3 would do), %4")
                     .arg(countText(f.shared_requests), countText(f.wavefronts), countText(f.wavefronts_ideal),
                          formatBytes(f.shared_bytes));
    if (f.local_requests)
        lines << ProfileText::tr("Local memory: %1 requests, %2 sectors, %3")
                     .arg(countText(f.local_requests), countText(f.local_sectors), formatBytes(f.local_bytes));
    if (f.atomic_addresses)
        lines << ProfileText::tr("Atomic operations of %1 threads on %2 addresses")
                     .arg(countText(f.atomic_lanes), countText(f.atomic_addresses));
    QStringList kinds;
    for (std::size_t k = 0; k < f.operations.size(); ++k)
        if (f.operations[k])
            kinds << QStringLiteral("%1 %2").arg(
                countText(f.operations[k]),
                QString::fromStdString(std::string(profile::name_of(profile::Operation(k)))));
    if (!kinds.isEmpty()) lines << ProfileText::tr("Operations: %1").arg(kinds.join(QStringLiteral(", ")));
    return lines.join(QLatin1Char('\n'));
}

} // namespace warplight::ui
