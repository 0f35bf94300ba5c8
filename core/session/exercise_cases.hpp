// SPDX-License-Identifier: Apache-2.0
/// The cases of an exercise as sessions, and what a run of one says about a solution.
#pragma once

#include "session/report.hpp"
#include "session/session.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warplight::session {

/// Why a solution passes a case or does not.
enum class CaseOutcome : std::uint8_t {
    pass,
    wrong_result,
    findings,    ///< checks of the kernel found mistakes
    broken_rule, ///< a required word is missing in the source, or a forbidden one is there
    cannot_run,  ///< the kernel does not fit the exercise: other parameters, no such kernel
    compile_error,
    device_error, ///< a fault, or a launch that the device refuses
    crash,        ///< of the worker
    time,
    memory,
    stopped, ///< by the user: nothing is known
};
/// "wrong result": as people and tables have it.
std::string_view label_of(CaseOutcome outcome);
std::optional<CaseOutcome> outcome_from(std::string_view label);
/// It says something about the source alone, and so nothing about the data of a hidden case.
constexpr bool is_about_source(CaseOutcome outcome) {
    return outcome == CaseOutcome::compile_error || outcome == CaseOutcome::broken_rule;
}

struct CaseResult {
    std::string name;
    CaseOutcome outcome = CaseOutcome::stopped;
    std::string message; ///< what is wrong, one line; empty of a pass
    std::string hint;    ///< of the case, where it was not passed
    double points = 0;   ///< that it is worth
    bool hidden = false;
    std::uint64_t findings = 0; ///< of checks
    double ms = 0;              ///< of the run

    [[nodiscard]] bool passed() const { return outcome == CaseOutcome::pass; }
};

/// The session with a case's values. It saves nothing, and runs once.
/// @throws SessionError where the case does not fit the arguments
Session session_of_case(const Session& exercise, const ExerciseCase& each);

/// Gives the case the arguments and the launch of `made` where they differ from the session's.
/// @throws SessionError where a case has no word for the difference: an argument without its expectation
void change_case(ExerciseCase& each, const Session& exercise, const Session& made);

/// Looks at all cases before the first one runs.
/// @throws SessionError where the session is no exercise, where a case does not fit, or has nothing to check
void check_exercise(const Session& session);

/// The first rule that a source breaks, as a sentence; empty where it breaks none. Comments and strings do not count.
std::string broken_rule(const Exercise& exercise, std::string_view source);

/// What the report of a case's run says.
CaseResult judge(const ExerciseCase& each, const Report& report);

} // namespace warplight::session
