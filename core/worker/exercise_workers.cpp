// SPDX-License-Identifier: Apache-2.0
#include "worker/exercise_workers.hpp"

#include "worker/run_access.hpp"

namespace warplight::worker {

Access access_of_exercise(const session::Session& exercise, const session::RunOptions& options) {
    Access access;
    if (!exercise.exercise) return access;
    for (const auto& each : exercise.exercise->cases) {
        const Access own = access_of({session::session_of_case(exercise, each), options});
        access.read.insert(access.read.end(), own.read.begin(), own.read.end());
    }
    return access;
}

} // namespace warplight::worker
