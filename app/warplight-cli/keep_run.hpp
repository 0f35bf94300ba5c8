// SPDX-License-Identifier: GPL-3.0-or-later
// Adds a run to the history.
#pragma once

#include "session/report.hpp"
#include "worker/run_request.hpp"

#include <CLI/App.hpp>
#include <string>

namespace warplight::cli {

struct KeepOptions {
    bool keep = false;
    std::string file; ///< empty: the user's
    std::string label, note;
    bool quiet = false; ///< its number is not told
};

/// --keep, --history, --label and --note.
void add_keep_options(CLI::App& command, KeepOptions& options);
/// The text that a job compiles. @throws Error where its file cannot be read
std::string source_of(const worker::RunRequest& job);

/// Where it cannot be added, standard error says why: the run and its report are good. @returns whether it was
bool keep_run(const worker::RunRequest& job, const session::Report& report, const KeepOptions& options);

} // namespace warplight::cli
