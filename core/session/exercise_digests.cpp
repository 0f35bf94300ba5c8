// SPDX-License-Identifier: Apache-2.0
#include "session/exercise_digests.hpp"

#include "session/json_reader.hpp"

#include <fmt/format.h>
#include <utility>

namespace warplight::session {
namespace {

/// The case with its expectations taken for digests, which its run then makes.
Session asking_for_digests(Session made, const ExerciseCase& each, std::vector<std::string>& kept) {
    for (Argument& argument : made.arguments) {
        if (!argument.expect) continue;
        if (argument.expect->rtol != 0 || argument.expect->atol != 0) {
            kept.push_back(
                fmt::format("{}: {} is compared with tolerances, so what it expects stays.", each.name, argument.name));
            argument.expect.reset();
            continue;
        }
        Expectation asked;
        asked.digest = std::string(64, '0');
        argument.expect = asked;
    }
    return made;
}

} // namespace

HiddenExercise with_digests(const Session& session, const std::string& source, const RunOptions& options,
                            ExerciseDevice& device, const ExerciseLimits& limits, const ExerciseHooks& hooks) {
    for (const CaseResult& each : run_exercise(session, source, options, device, limits, hooks))
        if (!each.passed())
            throw SessionError(
                fmt::format("The solution fails the case \"{}\": {}. Digests are made by a solution that "
                            "passes all cases.",
                            each.name, each.message.empty() ? label_of(each.outcome) : each.message),
                "/exercise/cases");
    HiddenExercise hidden{session, {}, 0};
    RunOptions run = options;
    run.source_text = source;
    for (ExerciseCase& each : hidden.session.exercise->cases) {
        if (!each.hidden) continue;
        const auto asking = asking_for_digests(session_of_case(session, each), each, hidden.kept);
        const auto limit = std::chrono::duration_cast<std::chrono::milliseconds>(
            std::chrono::duration<double>(each.time_limit.value_or(session.exercise->time_limit)));
        const Report report = device.run(asking, run, limit);
        if (!has_run(report.status))
            throw SessionError(fmt::format("The case \"{}\" did not run again: {}", each.name,
                                           report.error ? report.error->message : std::string("it was stopped.")),
                               "/exercise/cases");
        auto changes = each.arguments.empty() ? ordered_json::object() : ordered_json::parse(each.arguments);
        for (const Comparison& comparison : report.comparisons) {
            if (comparison.digest.empty()) {
                hidden.kept.push_back(
                    fmt::format("{}: {} has structs, so what it expects stays.", each.name, comparison.argument));
                continue;
            }
            changes[comparison.argument]["expect"] = {{"digest", comparison.digest}};
            ++hidden.digests;
        }
        if (!changes.empty()) each.arguments = changes.dump();
    }
    return hidden;
}

} // namespace warplight::session
