// SPDX-License-Identifier: Apache-2.0
/// What users choose for a campaign on Slurm, and the engine and the tasks that this makes.
#pragma once

#include "cluster/campaign.hpp"
#include "cluster/engine.hpp"
#include "cluster/slurm_text.hpp"
#include "cluster/split.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace warplight::cluster {

struct SlurmSetup {
    SlurmOptions options;
    std::string cluster; ///< its login node, `ssh://USER@HOST`; empty: this machine is one
    std::string folder; ///< of a campaign there; empty: below `warplight-campaigns`. Without `cluster` it means nothing
    std::string program;     ///< warplight-cli as jobs find it; empty: own_program here, and as ssh finds it there
    std::string own_program; ///< warplight-cli of this machine
    std::function<bool()> given_up = {}; ///< true: commands that run are ended, and the engine is of no use any more
    std::optional<std::chrono::milliseconds> poll; ///< between two calls of squeue
};

/// Keeps the campaign by reference. @throws session::SessionError where the cluster is no place
[[nodiscard]] std::unique_ptr<Engine> make_slurm_engine(const Campaign& campaign, const SlurmSetup& setup);

/// That a point is taken to last where nothing tells and the number of tasks is not given.
inline constexpr double guessed_point_seconds = 1;
/// Shares the points of a fresh campaign out among tasks, and makes its folder. @throws session::SessionError
void begin_campaign(Campaign& fresh, const TaskSize& size);

} // namespace warplight::cluster
