// SPDX-License-Identifier: GPL-3.0-or-later
// Sweeps and classes that run as tasks: on all devices of this machine, or on a cluster.
#pragma once

#include "cluster/campaign.hpp"
#include "cluster/collector.hpp"
#include "cluster/engine.hpp"
#include "cluster/run_campaign.hpp"
#include "cluster/slurm_text.hpp"

#include <CLI/App.hpp>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace warplight::cli {

struct EngineOptions {
    std::string engine; ///< empty: everything runs one after the other, in this process and its workers
    cluster::SlurmOptions slurm;
    std::string work_folder, cluster, program, task_time, point_time, poll;
    std::optional<std::uint64_t> array_size;
    std::optional<int> jobs;
    bool resume = false, quiet = false;
};

/// @param of_sweep the option --jobs is the engine's, and --time has another meaning
void add_engine_options(CLI::App& command, EngineOptions& options, bool of_sweep);
/// Refuses options of an engine where there is none, and such that do not fit together. @throws session::SessionError
void check_engine_options(const EngineOptions& options);

/// The campaign of the folder, to go on with, or the fresh one written into it.
/// @param fallback folder without --work-folder
/// @param estimate seconds of a point; asked where nothing tells them
/// @throws session::SessionError
cluster::Campaign begin_campaign(cluster::Campaign fresh, const EngineOptions& options,
                                 const std::filesystem::path& fallback, const std::function<double()>& estimate);

/// Runs it to its end, with progress on standard error, and tells there what is missing and why.
/// The first Ctrl+C stops it.
/// @param more called where there may be new results
cluster::CampaignEnd run_campaign(cluster::Collector& collector, const EngineOptions& options,
                                  const std::function<void()>& more = {});

} // namespace warplight::cli
