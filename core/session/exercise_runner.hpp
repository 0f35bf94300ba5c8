// SPDX-License-Identifier: Apache-2.0
/// Runs a solution on all cases of an exercise.
#pragma once

#include "session/exercise_cases.hpp"
#include "session/run_options.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace warplight::session {

/// Where the sessions of cases run. A case that ends its worker must not reach the next one.
class ExerciseDevice {
public:
    ExerciseDevice() = default;
    ExerciseDevice(const ExerciseDevice&) = delete;
    ExerciseDevice& operator=(const ExerciseDevice&) = delete;
    virtual ~ExerciseDevice() = default;

    /// The report has the status `cancelled` where the user has stopped it, and `limit_reached` after the time.
    virtual Report run(const Session& session, const RunOptions& options, std::chrono::milliseconds time_limit) = 0;
};

struct ExerciseHooks {
    std::function<void(std::size_t index, const CaseResult&)> visited;
    std::function<bool()> cancelled;
};

struct ExerciseLimits {
    double seconds = 0;                            ///< of each case, where it is less than the exercise's; 0: none
    std::chrono::milliseconds compilation{60'000}; ///< of the source
};

/// The source is compiled before, in runs of their own, so that no case loses time to it.
/// @param source text of the solution
/// @param options with the folder of the exercise, which its data are read from
/// @throws SessionError where the session is no exercise that can be run
std::vector<CaseResult> run_exercise(const Session& session, const std::string& source, const RunOptions& options,
                                     ExerciseDevice& device, const ExerciseLimits& limits = {},
                                     const ExerciseHooks& hooks = {});

/// The sum of what was passed, and of all cases.
double points_of(const std::vector<CaseResult>& results);
double points_of(const Exercise& exercise);
std::size_t passed_of(const std::vector<CaseResult>& results);

} // namespace warplight::session
