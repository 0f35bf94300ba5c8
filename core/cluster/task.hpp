// SPDX-License-Identifier: Apache-2.0
/// A task of a campaign: runs its points on the devices of this machine and appends their results to a log.
#pragma once

#include "cluster/campaign.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace warplight::cluster {

struct TaskOptions {
    std::uint64_t task = 0;
    std::uint64_t attempt = 0; ///< how often the task was started again
    /// Ordinals of GPUs, which share the task's points. Empty: the session's device.
    std::vector<int> gpus;
    /// Asked between points. True: no further points are begun.
    std::function<bool()> stopped = {};
    /// Asked often. True: the points that run are given up.
    std::function<bool()> cancelled = {};
};

struct TaskEnd {
    std::uint64_t points = 0; ///< that the task has
    std::uint64_t before = 0; ///< whose results were there
    std::uint64_t done = 0;   ///< whose results were added
    [[nodiscard]] bool complete() const { return before + done >= points; }
};

/// Skips points whose results are there. Points run in groups, as in a sweep, and the results of a group are written
/// when it is done: what ends this process costs that group alone.
/// @throws session::SessionError, where the campaign does not fit, a file was changed, or there is no device
/// @throws files::Problem, where results cannot be written
TaskEnd run_task(const Campaign& campaign, const TaskOptions& options);

/// How many points a group has: about 30 s of them.
[[nodiscard]] std::size_t group_size(double point_seconds);

} // namespace warplight::cluster
