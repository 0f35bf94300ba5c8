// SPDX-License-Identifier: GPL-3.0-or-later
/// The runs whose buffers are shown: the last one with results, and a failed one after it.
#pragma once

#include "ui/common/document.hpp"

#include <QSet>

namespace warplight::ui {

class BufferRegistry;
class WorkerConnection;

struct ShownRuns {
    const RunRecord* results = nullptr; ///< the last run that had some
    const RunRecord* failed = nullptr;  ///< the last run, when it left inputs only
};
ShownRuns shownRuns(const std::vector<RunRecord>& runs);

/// "Run 3, 14:02"
QString runTitle(const RunRecord& run);

/// Enters the buffers of a worker's answer to `run`, and puts the window's numbers in place of the worker's.
void enterBuffers(session::Report& report, nlohmann::json& buffers, WorkerConnection* worker, BufferRegistry& registry);

/// The numbers of all buffers that these runs show.
QSet<qint64> shownBuffers(const ShownRuns& runs);

} // namespace warplight::ui
