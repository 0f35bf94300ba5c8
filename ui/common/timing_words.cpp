// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/timing_words.hpp"

#include "ui/common/format.hpp"

#include <QCoreApplication>

namespace warplight::ui {
namespace {

using driver::ClockLimit;

struct TimingWords {
    Q_DECLARE_TR_FUNCTIONS(TimingWords)
};

QString limitText(ClockLimit limit) {
    switch (limit) {
    case ClockLimit::applications_setting: return TimingWords::tr("clocks that were set for applications");
    case ClockLimit::power_cap: return TimingWords::tr("the power cap");
    case ClockLimit::hardware_slowdown: return TimingWords::tr("a slowdown by the hardware");
    case ClockLimit::sync_boost: return TimingWords::tr("other GPUs of its group");
    case ClockLimit::thermal: return TimingWords::tr("heat");
    case ClockLimit::hardware_thermal: return TimingWords::tr("heat, by the hardware");
    case ClockLimit::power_brake: return TimingWords::tr("the machine's power supply");
    case ClockLimit::display_setting: return TimingWords::tr("clocks that were set for the display");
    }
    return {};
}

QString limitsText(const std::vector<ClockLimit>& limits, bool settings) {
    QStringList words;
    for (const ClockLimit limit : limits)
        if (session::is_setting(limit) == settings) words << limitText(limit);
    return words.join(QStringLiteral(", "));
}

QString throttledText(const QString& limits) {
    return TimingWords::tr("Throttled: the clocks were held down by %1.").arg(limits);
}

QString rangeText(const session::ClockRange& range, const std::optional<unsigned>& most) {
    const QString shown = range.low == range.high
                              ? QString::number(range.low)
                              : QStringLiteral("%1 … %2").arg(QString::number(range.low), QString::number(range.high));
    return most ? TimingWords::tr("%1 of %2 MHz").arg(shown, QString::number(*most))
                : TimingWords::tr("%1 MHz").arg(shown);
}

} // namespace

QStringList clockDoubts(const session::ReportClocks& clocks) {
    QStringList doubts;
    if (clocks.throttled()) doubts << throttledText(limitsText(clocks.held_by, false));
    if (clocks.changed())
        doubts << TimingWords::tr("The SM clock changed by %1 % while the runs were measured.")
                      .arg(qRound(clocks.change() * 100));
    return doubts;
}

QStringList clockDoubts(const std::string& kept) {
    std::vector<ClockLimit> limits;
    bool changed = false;
    for (const QString& word : QString::fromStdString(kept).split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        if (word == QLatin1String("changed")) changed = true;
        if (const auto limit = driver::clock_limit_from(word.toStdString())) limits.push_back(*limit);
    }
    QStringList doubts;
    if (!limits.empty()) doubts << throttledText(limitsText(limits, false));
    if (changed) doubts << TimingWords::tr("The SM clock changed while the runs were measured.");
    return doubts;
}

QString clocksText(const session::ReportClocks& clocks) {
    QStringList parts;
    if (clocks.sm_mhz) parts << TimingWords::tr("SM clock %1").arg(rangeText(*clocks.sm_mhz, clocks.most_sm_mhz));
    if (clocks.memory_mhz)
        parts << TimingWords::tr("memory %1").arg(rangeText(*clocks.memory_mhz, clocks.most_memory_mhz));
    if (clocks.temperature_c) parts << TimingWords::tr("%1 °C").arg(*clocks.temperature_c);
    if (clocks.power_w) parts << TimingWords::tr("%1 W").arg(qRound(*clocks.power_w));
    if (clocks.split) parts << TimingWords::tr("of the whole GPU, which is split");
    return parts.join(QStringLiteral(", "));
}

QString conditionsText(const session::Report& report) {
    QStringList sentences;
    const auto add = [&](const QString& sentence) { sentences << sentence; };
    if (report.cold_l2) add(TimingWords::tr("The L2 cache was cold."));
    if (report.empty_launch)
        add((report.empty_launch->kind == "graph" ? TimingWords::tr("An empty graph takes %1.")
                                                  : TimingWords::tr("An empty launch takes %1."))
                .arg(formatMs(report.empty_launch->ms)));
    if (session::is_mostly_launch(report)) add(TimingWords::tr("Most of the kernel's time is its launch."));
    if (!report.clocks) return sentences.join(QLatin1Char(' '));
    if (const QString clocks = clocksText(*report.clocks); !clocks.isEmpty()) add(clocks + QLatin1Char('.'));
    for (const QString& doubt : clockDoubts(*report.clocks))
        add(QStringLiteral("⚠ ") + doubt);
    if (const QString settings = limitsText(report.clocks->held_by, true); !settings.isEmpty())
        add(TimingWords::tr("The clocks are held by %1.").arg(settings));
    return sentences.join(QLatin1Char(' '));
}

} // namespace warplight::ui
