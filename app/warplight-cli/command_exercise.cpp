// SPDX-License-Identifier: GPL-3.0-or-later
#include "command.hpp"
#include "connection_words.hpp"
#include "grade_options.hpp"
#include "json_text.hpp"

#include "files/paths.hpp"
#include "session/data_file.hpp"
#include "session/exercise_digests.hpp"
#include "session/exercise_grades.hpp"
#include "worker/exercise_workers.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <system_error>

namespace warplight::cli {
namespace {

using session::CaseOutcome;
using session::CaseResult;

struct Options : ExerciseOptions {
    std::string source, digests;
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

/// Relative paths stay what they are in the same folder alone, and a document that is there has what digests do not
/// show.
void check_place_of_digests(const Options& options) {
    const auto file = files::absolute(options.digests), task = files::absolute(options.session);
    std::error_code ignored;
    if (!files::same_place(file.parent_path(), task.parent_path()))
        throw session::SessionError(
            fmt::format("{} would lie in another folder than {}, whose relative paths it has. Choose a name "
                        "in that folder.",
                        options.digests, options.session));
    if (std::filesystem::exists(file, ignored))
        throw session::SessionError(fmt::format("{} is there already. Choose a new name.", options.digests));
}

int write_digests(const Options& options) {
    check_place_of_digests(options);
    auto exercise = load_exercise(options);
    const auto source = source_of(options, exercise);
    const auto& interrupted = stop_on_interrupt();
    ConnectionWords words(exercise.workers.machine);
    exercise.workers.watch = words.watch();
    worker::ExerciseWorkers device(exercise.workers);
    session::ExerciseHooks hooks;
    hooks.cancelled = [&] { return interrupted.load(); };
    const auto hidden = session::with_digests(exercise.session, source, exercise.run, device, exercise.limits, hooks);
    words.clear();
    for (const auto& each : hidden.kept)
        fmt::print(stderr, "{}\n", each);
    if (!hidden.digests)
        throw session::SessionError("No hidden case expects anything exactly, so there is no digest to write.");
    session::save(hidden.session, files::absolute(options.digests));
    fmt::print("{}: {} digest{} of hidden cases. Hand it out without the files that they expected.\n", options.digests,
               hidden.digests, hidden.digests == 1 ? "" : "s");
    return success;
}

int run(const Options& options) {
    if (!options.digests.empty()) return write_digests(options);
    auto exercise = load_exercise(options);
    const auto source = source_of(options, exercise);
    const auto& interrupted = stop_on_interrupt();
    ConnectionWords words(exercise.workers.machine);
    exercise.workers.watch = words.watch();
    worker::ExerciseWorkers device(exercise.workers);
    session::ExerciseHooks hooks;
    hooks.cancelled = [&] { return interrupted.load(); };
    const auto results = session::run_exercise(exercise.session, source, exercise.run, device, exercise.limits, hooks);
    words.clear();
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
    command
        ->add_option("--digests", options->digests,
                     "Write the exercise with digests in place of what its hidden cases expect exactly, made by the "
                     "solution")
        ->type_name("FILE");
    command->add_flag("--all", options->all, "Tell of hidden cases, too, why they fail");
    command->add_flag("--json", options->as_json, "Print the results as JSON");
    command->callback([options, &exit_code] { exit_code = run(*options); });
}

} // namespace warplight::cli
