// SPDX-License-Identifier: Apache-2.0
/// Runs a campaign on an engine until all points have results, the user stops it, or nothing runs any more.
#pragma once

#include "cluster/campaign.hpp"
#include "cluster/collector.hpp"
#include "cluster/engine.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace warplight::cluster {

struct CampaignProgress {
    std::uint64_t done = 0, count = 0;
    EngineState engine;
    double seconds = 0;       ///< since the tasks were begun
    double seconds_left = -1; ///< below 0: not known yet
};

struct CampaignHooks {
    std::function<void(const CampaignProgress&)> progress;
    std::function<bool()> cancelled; ///< asked ten times a second. True: all tasks are ended
    /// Asked as often. True: this process goes away, and tasks go on where the engine's can.
    std::function<bool()> leaves = {};
};

struct CampaignEnd {
    bool stopped = false; ///< by the user
    bool left = false;    ///< tasks may go on
    double seconds = 0;
    /// Why tasks have no results, each reason once, with the number of tasks: sentences.
    std::vector<std::string> problems;
};

/// Only one process at a time may do this for a campaign; it holds the folder meanwhile. A campaign that the engine
/// refuses, and that has no result, is removed.
/// @throws session::SessionError where the folder is held, and where the engine cannot begin
CampaignEnd run_campaign(Collector& collector, Engine& engine, const CampaignHooks& hooks = {});

} // namespace warplight::cluster
