// SPDX-License-Identifier: Apache-2.0
/// Hides what hidden cases of an exercise expect.
#pragma once

#include "session/exercise_runner.hpp"

#include <string>
#include <vector>

namespace warplight::session {

struct HiddenExercise {
    Session session;
    std::vector<std::string> kept; ///< sentences: which expectations of hidden cases stay as they are, and why
    std::size_t digests = 0;       ///< that were written
};

/// The exercise with digests in place of what its hidden cases expect exactly. Each is of the result of a solution that
/// passes all cases. The parameters are those of run_exercise().
/// @throws SessionError where the session is no exercise, or the solution fails a case
HiddenExercise with_digests(const Session& session, const std::string& source, const RunOptions& options,
                            ExerciseDevice& device, const ExerciseLimits& limits = {}, const ExerciseHooks& hooks = {});

} // namespace warplight::session
