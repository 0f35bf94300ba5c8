// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/run_options.hpp"

#include <CLI/App.hpp>

namespace warplight::cli {

/// Adds a flag for each option of a run that names one. `options`, which must outlive the command, takes the values.
void add_run_flags(CLI::App& command, session::RunOptions& options);

} // namespace warplight::cli
