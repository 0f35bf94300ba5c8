// SPDX-License-Identifier: GPL-3.0-or-later
#include "grade_options.hpp"
#include "device_choice.hpp"

#include "files/input_file.hpp"
#include "files/paths.hpp"
#include "worker/exercise_workers.hpp"
#include "worker/limits.hpp"

#include <CLI/CLI.hpp>
#include <csignal>
#include <filesystem>
#include <fmt/format.h>

namespace warplight::cli {
namespace {

namespace fs = std::filesystem;
using session::SessionError;

std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void stop_exercise(int signal) {
    interrupted = true;
    std::signal(signal, SIG_DFL);
}

} // namespace

void add_exercise_options(CLI::App& command, ExerciseOptions& options) {
    command.add_option("--device", options.device,
                       "auto, cuda:N, software:N, or one on another machine: ssh://USER@HOST/cuda:N; default:\n"
                       "the exercise's");
    command.add_option("--time-limit", options.time_limit,
                       "Longest time of a case, where it is less than the exercise's: 10s, 500ms, 2m");
    command.add_option("--memory-limit", options.memory_limit, "Most memory of a worker: 2G, 512M; default: 4G");
    command.add_flag("--unconfined", options.unconfined,
                     "Run in workers without the walls that `warplight-cli doctor` lists");
}

LoadedExercise load_exercise(const ExerciseOptions& options) {
    const auto file = files::absolute(options.session);
    if (file.extension() != ".warplight")
        throw SessionError(
            fmt::format("{} is no session (.warplight). An exercise is a session with cases.", options.session));
    LoadedExercise loaded;
    loaded.session = session::load(file);
    const auto device = parse_device_option(options.device);
    if (!device.device.empty()) loaded.session.device = device.device;
    loaded.workers.machine = device.machine;
    session::parse_device(loaded.session.device);
    session::check_exercise(loaded.session);
    loaded.run.folder = file.parent_path();
    loaded.run.session_path = file.string();
    if (!options.time_limit.empty()) {
        const auto limit = worker::parse_duration(options.time_limit);
        if (!limit)
            throw SessionError(
                fmt::format("--time-limit {}: write a duration such as 10s, 500ms or 2m.", options.time_limit));
        constexpr double ms = 1000;
        loaded.limits.seconds = static_cast<double>(limit->count()) / ms;
    }
    loaded.workers.memory_limit = std::uint64_t{4} << 30;
    if (!options.memory_limit.empty()) {
        const auto memory = worker::parse_bytes(options.memory_limit);
        if (!memory || *memory < worker::least_memory)
            throw SessionError(
                fmt::format("--memory-limit {}: write a size of 64M or more, such as 2G.", options.memory_limit));
        loaded.workers.memory_limit = *memory;
    }
    loaded.workers.run = loaded.run;
    loaded.workers.confined = !options.unconfined;
    if (loaded.workers.confined) loaded.workers.access = worker::access_of_exercise(loaded.session, loaded.run);
    loaded.workers.cancelled = [] { return interrupted.load(); };
    return loaded;
}

std::string read_solution(const fs::path& file) {
    try {
        return files::read_text(file, files::Kind::source);
    } catch (const files::InputError& error) {
        throw SessionError(fmt::format("The solution cannot be read: {}.", error.what()));
    }
}

std::atomic<bool>& stop_on_interrupt() {
    interrupted = false;
    std::signal(SIGINT, stop_exercise);
    std::signal(SIGTERM, stop_exercise);
    return interrupted;
}

} // namespace warplight::cli
