// SPDX-License-Identifier: GPL-3.0-or-later
// What the commands about exercises have in common: the exercise, its device and its limits.
#pragma once

#include "session/exercise_runner.hpp"
#include "session/session.hpp"
#include "worker/sweep_workers.hpp"

#include <CLI/App.hpp>
#include <atomic>
#include <string>

namespace warplight::cli {

struct ExerciseOptions {
    std::string session, device, time_limit, memory_limit;
    bool unconfined = false;
};

/// --device, --time-limit, --memory-limit and --unconfined.
void add_exercise_options(CLI::App& command, ExerciseOptions& options);

/// An exercise that can be run, and how.
struct LoadedExercise {
    session::Session session;
    session::RunOptions run;
    session::ExerciseLimits limits;
    worker::SweepWorkersOptions workers;
};
/// @throws SessionError
LoadedExercise load_exercise(const ExerciseOptions& options);

/// The text of a solution. @throws SessionError where it cannot be read
std::string read_solution(const std::filesystem::path& file);

/// From now on the first Ctrl+C sets this, and a second one ends the program.
std::atomic<bool>& stop_on_interrupt();

} // namespace warplight::cli
