// SPDX-License-Identifier: GPL-3.0-or-later
/// The document's source as a request to the worker.
#pragma once

#include "session/session.hpp"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace warplight::ui {

class Workbench;
class WorkerConnection;

/// The instances of templates among the kernels that a run launches.
std::vector<std::string> instancesOf(const session::Session& session);

/// What `compile` and its kin take: the text as it stands in the editor, and the session's compile options. The main
/// source must not be PTX.
/// @param worker that is asked: its device may decide on the architecture
nlohmann::json compileParameters(Workbench& workbench, const WorkerConnection& worker);

} // namespace warplight::ui
