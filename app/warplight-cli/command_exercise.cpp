// SPDX-License-Identifier: GPL-3.0-or-later
#include "command.hpp"
#include "grade_options.hpp"
#include "json_text.hpp"

#include "files/paths.hpp"
#include "session/data_file.hpp"
#include "session/exercise_grades.hpp"
#include "worker/exercise_workers.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>

namespace warplight::cli {
namespace {

using session::CaseOutcome;
using session::CaseResult;

struct Options : ExerciseOptions {
    std::string source;
    bool as_json = false, all = false;
};

/// The exit code of a run that went as most of the cases that failed.
int code_of(const std::vector<CaseResult>& results) {
    const auto failed = std::ranges::find_if(results, [](const CaseResult& each) { return !each.passed(); });
    if (failed == results.end()) return success;
    switch (failed->outcome) {
    case CaseOutcome::compile_error: return compile_failed;
    case CaseOutcome::cannot_run: return bad_input;
    case CaseOutcome::findings: return checks_found;
    case CaseOutcome::time:
    case CaseOutcome::memory: return limit_reached;
    case CaseOutcome::device_error:
    case CaseOutcome::crash:
    case CaseOutcome::stopped: return device_failed;
    default: return expectation_failed;
    }
}

std::string source_of(const Options& options, const LoadedExercise& exercise) {
    if (!options.source.empty()) return read_solution(files::absolute(options.source));
    const auto& source = exercise.session.source;
    if (source.path.empty()) return source.text;
    return read_solution(files::join(exercise.run.folder, session::path_from_utf8(source.path)));
}

int run(const Options& options) {
    auto exercise = load_exercise(options);
    const auto source = source_of(options, exercise);
    const auto& interrupted = stop_on_interrupt();
    worker::ExerciseWorkers device(exercise.workers);
    session::ExerciseHooks hooks;
    hooks.cancelled = [&] { return interrupted.load(); };
    const auto results = session::run_exercise(exercise.session, source, exercise.run, device, exercise.limits, hooks);
    if (options.as_json)
        fmt::print("{}", json_text({{"title", exercise.session.title},
                                    {"points", session::points_of(results)},
                                    {"of", session::points_of(*exercise.session.exercise)},
                                    {"cases", session::to_json(results, options.all)}}));
    else
        fmt::print("{}", session::to_text(results, options.all));
    return code_of(results);
}

} // namespace

void add_exercise(CLI::App& app, int& exit_code) {
    auto* command = app.add_subcommand("exercise", "Run a solution on all cases of an exercise, and tell which pass");
    auto options = std::make_shared<Options>();
    command->add_option("SESSION", options->session, "SESSION.warplight with an exercise")
        ->required()
        ->check(CLI::ExistingFile);
    command->add_option("--source", options->source, "The solution; default: the source of the session")
        ->type_name("FILE")
        ->check(CLI::ExistingFile);
    add_exercise_options(*command, *options);
    command->add_flag("--all", options->all, "Tell of hidden cases, too, why they fail");
    command->add_flag("--json", options->as_json, "Print the results as JSON");
    command->callback([options, &exit_code] { exit_code = run(*options); });
}

} // namespace warplight::cli
