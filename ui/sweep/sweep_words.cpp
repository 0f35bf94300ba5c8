// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep/sweep_words.hpp"

#include "session/sweep_text.hpp"
#include "ui/common/format.hpp"
#include "ui/sweep/campaign_job.hpp"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <cmath>

namespace warplight::ui {
namespace {

struct SweepWords {
    Q_DECLARE_TR_FUNCTIONS(Sweep)
};

QString errorOf(const session::SweepPointResult& point) { return QString::fromStdString(point.message); }

QString plainTitle(const session::SweepName& parsed) {
    using session::SweepKind;
    QString subject = QString::fromStdString(parsed.subject);
    switch (parsed.kind) {
    case SweepKind::block: return SweepWords::tr("Block");
    case SweepKind::grid: return SweepWords::tr("Grid");
    case SweepKind::extent:
        return (subject[0] == QLatin1Char('b') ? SweepWords::tr("Block %1") : SweepWords::tr("Grid %1"))
            .arg(subject[1]);
    case SweepKind::shared: return SweepWords::tr("Shared memory");
    case SweepKind::cluster: return SweepWords::tr("Cluster");
    case SweepKind::cooperative: return SweepWords::tr("Cooperative");
    case SweepKind::carveout: return SweepWords::tr("Carve-out");
    case SweepKind::cache: return SweepWords::tr("Cache preference");
    case SweepKind::priority: return SweepWords::tr("Priority");
    case SweepKind::kernel: return SweepWords::tr("Kernel");
    case SweepKind::template_argument: return SweepWords::tr("Template argument %1").arg(subject);
    case SweepKind::arch: return SweepWords::tr("Architecture");
    case SweepKind::compiler: return SweepWords::tr("Compiler");
    case SweepKind::device: return SweepWords::tr("Device");
    case SweepKind::option: return SweepWords::tr("Option");
    case SweepKind::shape: return SweepWords::tr("Size of %1").arg(subject);
    case SweepKind::l2: return SweepWords::tr("L2 cache");
    case SweepKind::run_as: return SweepWords::tr("Run as");
    case SweepKind::times: return SweepWords::tr("Rounds");
    case SweepKind::every: return SweepWords::tr("Rounds between questions");
    case SweepKind::at_most: return SweepWords::tr("Most rounds");
    case SweepKind::value: return SweepWords::tr("Value %1").arg(subject);
    case SweepKind::define:
    case SweepKind::argument: break;
    }
    return subject;
}

} // namespace

QString formatDuration(double seconds) {
    if (seconds < 90) return SweepWords::tr("%1 s").arg(std::max(1.0, std::ceil(seconds)));
    if (seconds < 90.0 * 60) return SweepWords::tr("%1 min").arg(std::round(seconds / 60));
    if (seconds < 48.0 * 3600) return SweepWords::tr("%1 h").arg(std::round(seconds / 3600));
    return SweepWords::tr("%1 days").arg(formatCount(std::llround(seconds / 86400)));
}

QString titleOf(const std::string& name) {
    const auto parsed = session::parse_sweep_name(name);
    if (parsed.step.empty()) return plainTitle(parsed);
    return SweepWords::tr("%1 of %2", "block, of a step").arg(plainTitle(parsed), QString::fromStdString(parsed.step));
}

QString shownValue(const std::string& value) {
    return value.empty() ? SweepWords::tr("(none)") : QString::fromStdString(value);
}

QString describePoint(const session::SweepReport& report, std::size_t index) {
    QStringList parts;
    for (std::size_t i = 0; i < report.axes.size(); ++i)
        parts << SweepWords::tr("%1 %2", "axis, value")
                     .arg(titleOf(report.axes[i].name), shownValue(report.points[index].values[i]));
    return parts.join(QStringLiteral(", "));
}

QString describe(const session::SweepProgress& progress, int rounds) {
    const QString done = formatCount(qint64(progress.done)), of = formatCount(qint64(progress.of));
    QString text =
        progress.stage == "compile" ? SweepWords::tr("Compiled %1 of %2").arg(done, of)
        : progress.stage == "trial"
            ? SweepWords::tr("Trial: %1 of %2 points").arg(done, of)
            : SweepWords::tr("Round %1 of %2: %3 of %4 points").arg(progress.round).arg(rounds).arg(done, of);
    if (progress.seconds_left >= 0)
        text += SweepWords::tr(", about %1 left").arg(formatDuration(progress.seconds_left));
    return text;
}

QString describe(const CampaignState& state) {
    const auto count = [](quint64 number) { return formatCount(qint64(number)); };
    const cluster::CampaignProgress& now = state.now;
    QString text = SweepWords::tr("Jobs: %1 of %2 done, %3 running, %4 waiting. Points: %5 of %6")
                       .arg(count(state.tasksDone), count(state.tasks), count(now.engine.running),
                            count(now.engine.waiting), count(now.done), count(now.count));
    if (now.seconds_left >= 0) text += SweepWords::tr(", about %1 left").arg(formatDuration(now.seconds_left));
    if (!now.engine.note.empty()) text += QStringLiteral(" (%1)").arg(QString::fromStdString(now.engine.note));
    return text;
}

QString lacking(const CampaignResults& results) {
    if (results.done >= results.count) return {};
    QStringList lines{SweepWords::tr("%1 of %2 points have no result. Resume runs them.")
                          .arg(formatCount(qint64(results.count - results.done)), formatCount(qint64(results.count)))};
    lines << results.problems;
    return lines.join(QLatin1Char('\n'));
}

namespace {

QString standingText(session::Standing standing) {
    using session::Standing;
    switch (standing) {
    case Standing::best: return SweepWords::tr("best");
    case Standing::indistinguishable: return SweepWords::tr("no difference from the best seen");
    case Standing::untested: return SweepWords::tr("too few rounds for a test");
    case Standing::slower: return SweepWords::tr("slower");
    case Standing::far_slower: return SweepWords::tr("far slower, not measured on");
    case Standing::none: break;
    }
    return SweepWords::tr("measured"); // the sweep still runs
}

} // namespace

QString verdict(const session::SweepReport& report, std::size_t index) {
    using session::PointState;
    const auto& point = report.points[index];
    switch (point.state) {
    case PointState::failed: return SweepWords::tr("failed: %1").arg(errorOf(point));
    case PointState::wrong: return SweepWords::tr("wrong: %1").arg(errorOf(point));
    case PointState::waiting: return SweepWords::tr("not run");
    case PointState::tried:
        return report.best == index ? SweepWords::tr("best of one run each") : SweepWords::tr("one run only");
    default: break;
    }
    QString text = standingText(session::standing_of(report, index));
    if (point.clocks && point.clocks->throttled()) text += SweepWords::tr(", throttled");
    if (point.clocks && point.clocks->changed()) text += SweepWords::tr(", clock changed");
    if (point.is_mostly_launch()) text += SweepWords::tr(", mostly its launch");
    return text;
}

QString summary(const session::SweepReport& report) {
    using session::PointState;
    QStringList lines;
    if (report.best) {
        const auto& best = report.points[*report.best];
        QString line =
            SweepWords::tr("Best: %1, %2").arg(describePoint(report, *report.best), formatMs(best.median_ms));
        if (best.runs() > 0)
            line +=
                SweepWords::tr(" (95 %: %1 … %2)").arg(formatMs(best.interval_ms.low), formatMs(best.interval_ms.high));
        else
            line += SweepWords::tr(", of one run each");
        QString alike;
        int count = 0;
        for (const auto index : session::fastest_first(report)) {
            const auto standing = session::standing_of(report, index);
            if (standing != session::Standing::indistinguishable && standing != session::Standing::untested) continue;
            if (++count == 1) alike = describePoint(report, index);
        }
        if (count == 1) line += SweepWords::tr(". No difference seen from %1").arg(alike);
        if (count > 1) line += SweepWords::tr(". No difference seen from %1 others").arg(formatCount(count));
        lines << line;
    } else {
        lines << SweepWords::tr("No point was measured.");
    }
    QStringList counts{
        SweepWords::tr("%1 of %2 points measured")
            .arg(formatCount(qint64(report.count(PointState::measured))), formatCount(qint64(report.all())))};
    const auto add = [&](PointState state, const QString& text) {
        if (const auto count = report.count(state)) counts << text.arg(formatCount(qint64(count)));
    };
    add(PointState::slower, SweepWords::tr("%1 far slower"));
    add(PointState::wrong, SweepWords::tr("%1 wrong"));
    add(PointState::failed, SweepWords::tr("%1 failed"));
    add(PointState::tried, SweepWords::tr("%1 tried once"));
    add(PointState::waiting, SweepWords::tr("%1 not run"));
    if (report.stopped) counts << SweepWords::tr("stopped");
    counts << formatDuration(report.seconds.wall);
    lines << counts.join(QStringLiteral(" · "));
    return lines.join(QLatin1Char('\n'));
}

} // namespace warplight::ui
