// SPDX-License-Identifier: Apache-2.0
/// Runs the cases of an exercise in a worker of their own, which is started again after a crash.
#pragma once

#include "session/exercise_runner.hpp"
#include "worker/sweep_workers.hpp"

#include <chrono>
#include <utility>

namespace warplight::worker {

class ExerciseWorkers : public session::ExerciseDevice {
public:
    explicit ExerciseWorkers(SweepWorkersOptions options) : workers_(std::move(options)) {}

    session::Report run(const session::Session& session, const session::RunOptions& options,
                        std::chrono::milliseconds time_limit) override {
        workers_.set_timeout(time_limit);
        return workers_.run(session, options);
    }

private:
    SweepWorkers workers_;
};

/// What the worker of an exercise may read: the files of the session and of all its cases. It writes nothing.
/// @throws session::SessionError where a case does not fit the arguments
Access access_of_exercise(const session::Session& exercise, const session::RunOptions& options);

} // namespace warplight::worker
