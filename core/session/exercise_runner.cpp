// SPDX-License-Identifier: Apache-2.0
#include "session/exercise_runner.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace warplight::session {
namespace {

/// Every case has the same result, which is known before one runs.
std::vector<CaseResult> all_alike(const Exercise& exercise, CaseOutcome outcome, const std::string& message,
                                  const ExerciseHooks& hooks) {
    std::vector<CaseResult> results;
    results.reserve(exercise.cases.size());
    for (const auto& each : exercise.cases) {
        CaseResult result;
        result.name = each.name;
        result.hidden = each.hidden;
        result.points = each.points;
        result.outcome = outcome;
        result.message = message;
        results.push_back(std::move(result));
        if (hooks.visited) hooks.visited(results.size() - 1, results.back());
    }
    return results;
}

std::chrono::milliseconds limit_of_case(const Exercise& exercise, const ExerciseCase& each,
                                        const ExerciseLimits& limits) {
    double seconds = each.time_limit.value_or(exercise.time_limit);
    if (limits.seconds > 0) seconds = std::min(seconds, limits.seconds);
    constexpr double ms = 1000;
    return std::chrono::milliseconds(std::max<std::int64_t>(1, static_cast<std::int64_t>(seconds * ms)));
}

} // namespace

std::vector<CaseResult> run_exercise(const Session& session, const std::string& source, const RunOptions& options,
                                     ExerciseDevice& device, const ExerciseLimits& limits, const ExerciseHooks& hooks) {
    check_exercise(session);
    const Exercise& exercise = *session.exercise;
    const auto cancelled = [&] { return hooks.cancelled && hooks.cancelled(); };
    if (source.find_first_not_of(" \t\r\n") == std::string::npos)
        return all_alike(exercise, CaseOutcome::compile_error, "The source is empty.", hooks);
    if (const auto broken = broken_rule(exercise, source); !broken.empty())
        return all_alike(exercise, CaseOutcome::broken_rule, broken, hooks);

    RunOptions run = options;
    run.source_text = source;
    run.compile_only = true;
    // Checks and structs of some cases need a compilation with --device-debug, too. All others find theirs in the
    // cache.
    for (const auto& each : exercise.cases) {
        const auto compiled = judge({}, device.run(session_of_case(session, each), run, limits.compilation));
        if (compiled.passed()) continue;
        const auto message =
            compiled.outcome == CaseOutcome::time ? "The compilation took too long." : compiled.message;
        return all_alike(exercise, compiled.outcome, message, hooks);
    }
    run.compile_only = false;
    std::vector<CaseResult> results;
    results.reserve(exercise.cases.size());
    for (const auto& each : exercise.cases) {
        CaseResult result;
        result.name = each.name;
        result.hidden = each.hidden;
        result.points = each.points;
        if (!cancelled()) {
            const auto limit = limit_of_case(exercise, each, limits);
            result = judge(each, device.run(session_of_case(session, each), run, limit));
            constexpr double ms = 1000;
            if (result.outcome == CaseOutcome::time)
                result.message = fmt::format("It did not end within {} s.", static_cast<double>(limit.count()) / ms);
        }
        results.push_back(std::move(result));
        if (hooks.visited) hooks.visited(results.size() - 1, results.back());
    }
    return results;
}

double points_of(const std::vector<CaseResult>& results) {
    double sum = 0;
    for (const auto& each : results)
        if (each.passed()) sum += each.points;
    return sum;
}

double points_of(const Exercise& exercise) {
    double sum = 0;
    for (const auto& each : exercise.cases)
        sum += each.points;
    return sum;
}

std::size_t passed_of(const std::vector<CaseResult>& results) {
    return static_cast<std::size_t>(std::ranges::count_if(results, &CaseResult::passed));
}

} // namespace warplight::session
