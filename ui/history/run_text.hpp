// SPDX-License-Identifier: GPL-3.0-or-later
/// How runs of the history are named and described.
#pragma once

#include "history/run.hpp"

#include <QIcon>
#include <QString>

namespace warplight::ui {

class Theme;

/// "run 12", "run 12 (tile of 8)"
QString runName(const history::Entry& entry);
/// "23:05:11" of today, else "2026-11-28 23:05"
QString runTime(const history::Entry& entry);
/// "64 × 16,16 + 4096 B", without extents of 1 at the end
QString runLaunch(const history::Entry& entry);
/// "passed", "fault" …
QString resultText(session::Status status);
/// The whole of it, for tips.
QString resultTip(session::Status status);
QIcon resultIcon(session::Status status, const Theme& theme);

} // namespace warplight::ui
