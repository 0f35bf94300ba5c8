// SPDX-License-Identifier: GPL-3.0-or-later
/// Axes, points and times of a sweep in words.
#pragma once

#include "session/sweep_report.hpp"
#include "session/sweep_runner.hpp"

#include <QString>

namespace warplight::ui {

struct CampaignResults;
struct CampaignState;

/// "12 s", "4 min", "3 h", "5 days"
QString formatDuration(double seconds);
/// Of an axis or a setting, as sessions name it: "Block", "TILE", "Size of x".
QString titleOf(const std::string& name);
/// "(none)" of an empty one.
QString shownValue(const std::string& value);
/// "block=128, TILE=8"
QString describePoint(const session::SweepReport& report, std::size_t index);
QString describe(const session::SweepProgress& progress, int rounds);
/// "3 of 8 jobs done, 4 running, 1 waiting: 12 of 40 points, about 3 min left"
QString describe(const CampaignState& state);
/// Points that have no result, and why; empty where all have one.
QString lacking(const CampaignResults& results);
/// What the sweep says of the point: that it is the best, how far behind, or why it has no time.
QString verdict(const session::SweepReport& report, std::size_t index);
/// The best point with the confidence of its time, and the points that cannot be told apart from it.
QString summary(const session::SweepReport& report);

} // namespace warplight::ui
