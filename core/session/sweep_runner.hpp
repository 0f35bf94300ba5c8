// SPDX-License-Identifier: Apache-2.0
/// Runs the points of a sweep in turn, round after round.
#pragma once

#include "session/run_options.hpp"
#include "session/session.hpp"
#include "session/sweep_report.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace warplight::session {

struct SweepCompilation {
    bool ok = true;
    std::string message; ///< why not
    double ms = 0;
};

/// Compiles and runs sessions: workers, or a driver in this process. A fault of one run must not reach the next one.
class SweepDevice {
public:
    SweepDevice() = default;
    SweepDevice(const SweepDevice&) = delete;
    SweepDevice& operator=(const SweepDevice&) = delete;
    virtual ~SweepDevice() = default;

    /// Compiles each, several at once, and calls `done` with how many are done. Results are kept in the cache.
    virtual std::vector<SweepCompilation> compile(const std::vector<Session>& sessions,
                                                  const std::function<void(std::size_t)>& done) = 0;
    /// The report of a run; its status is `cancelled` where the user has stopped it.
    virtual Report run(const Session& session, const RunOptions& options) = 0;
};

struct SweepProgress {
    std::string stage;            ///< compile, trial, round
    int round = 0;                ///< from 1
    std::size_t done = 0, of = 0; ///< compilations, or points of this round
    double seconds_left = -1;     ///< of the whole sweep; below 0: not known yet
};

struct SweepHooks {
    std::function<void(const SweepProgress&)> progress;
    std::function<bool()> cancelled;
    /// Asked where there are more points than SweepOptions::most_points; the time is below 0 where it is not known.
    /// False: the sweep is not run. Without this hook it is refused.
    std::function<bool(std::uint64_t points, double seconds)> agree;
    /// Gets the points before the first one runs.
    std::function<void(const SweepReport&)> listed;
    /// Gets a point after each of its runs. Its interval and its comparison are not known yet.
    std::function<void(std::size_t index, const SweepPointResult&)> visited;
};

struct SweepOptions {
    RunOptions run;                   ///< of each run
    std::string gpu;                  ///< whose peak figures are compared with; empty: the device, if it is known
    bool agreed = false;              ///< to any number of points
    std::uint64_t most_points = 1000; ///< without that
    /// Numbers of points, which run instead of all that the sweep has; in this order.
    std::optional<std::vector<std::uint64_t>> only = {};
    /// Of a point elsewhere, whose fastest run others are compared with before they are measured on; 0: none is known.
    double best_ms = 0;
};

/// A visit of a point repeats the kernel for so many milliseconds, at most so many times.
inline constexpr double visit_ms = 20;
inline constexpr int most_repeats = 20;

/// How long points such as this one take, without compilations.
/// @param report of a run of one
double estimated_seconds(const Report& report, std::uint64_t points, int rounds, int least_repeats);

/// The session has a sweep. What goes wrong at a point is in its result.
/// @throws SessionError where the sweep cannot be read, and where it has more points than the user has agreed to
SweepReport run_sweep(const Session& session, SweepDevice& device, const SweepOptions& options,
                      const SweepHooks& hooks = {});

} // namespace warplight::session
