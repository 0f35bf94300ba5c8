// SPDX-License-Identifier: GPL-3.0-or-later
/// Words for the conditions under which times were measured.
#pragma once

#include "session/report.hpp"

#include <QString>
#include <QStringList>

namespace warplight::ui {

/// Why times are doubtful, a sentence each; empty where nothing is known against them.
QStringList clockDoubts(const session::ReportClocks& clocks);
/// The same of a run in the history (history::Entry::clocks).
QStringList clockDoubts(const std::string& kept);
/// "SM clock 1410 … 1980 of 1980 MHz, memory 2619 MHz, 54 °C, 612 W"; empty where nothing is known.
QString clocksText(const session::ReportClocks& clocks);
/// Of a run: the state of the L2 cache, an empty launch, clocks, and what makes the times doubtful.
QString conditionsText(const session::Report& report);

} // namespace warplight::ui
