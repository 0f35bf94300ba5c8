// SPDX-License-Identifier: Apache-2.0
#include "session/exercise_cases.hpp"

#include "session/json_reader.hpp"
#include "session/report_words.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <set>

namespace warplight::session {
namespace {

constexpr std::array<std::string_view, 11> labels = {"pass",       "wrong result",  "checks",       "rule",
                                                     "cannot run", "compile error", "device error", "crash",
                                                     "time",       "memory",        "stopped"};

/// Keys of an argument in place of those that are there. Of sources and expectations only the keys change that are
/// given, except where they say by themselves what they are.
void change_argument(ordered_json& to, const ordered_json& by) {
    for (const auto& [key, value] : by.items()) {
        const bool in_part = (key == "source" || key == "expect") && value.is_object() && !value.contains("kind") &&
                             !value.contains("path") && !value.contains("session") && !value.contains("expression") &&
                             !value.contains("digest");
        if (!in_part || !to.contains(key) || !to[key].is_object())
            to[key] = value;
        else
            to[key].update(value);
    }
}

ordered_json* find_argument(ordered_json& document, const std::string& name) {
    for (auto& each : document["arguments"])
        if (each.value("name", "") == name) return &each;
    return nullptr;
}

/// What change_argument() makes `after` of `before`; empty where they are the same.
ordered_json argument_changes(const ordered_json& before, const ordered_json& after, const std::string& name) {
    ordered_json changes = ordered_json::object();
    for (const char* key : {"direction", "type", "value", "source", "expect"}) {
        if (!after.contains(key)) {
            if (before.contains(key))
                throw SessionError(
                    fmt::format("A case cannot take the \"{}\" of the argument \"{}\" away. Take it from "
                                "the session, and give it to the other cases.",
                                key, name),
                    "/exercise/cases");
            continue;
        }
        const ordered_json& now = after[key];
        if (before.contains(key) && before[key] == now) continue;
        ordered_json part = ordered_json::object();
        bool in_part =
            before.contains(key) && before[key].is_object() && now.is_object() && key != std::string("value");
        if (in_part) {
            for (const auto& [inner, value] : before[key].items())
                in_part = in_part && now.contains(inner);
            for (const auto& [inner, value] : now.items())
                if (!before[key].contains(inner) || before[key][inner] != value) part[inner] = value;
            for (const char* whole : {"kind", "path", "session", "expression"})
                in_part = in_part && !part.contains(whole);
        }
        changes[key] = in_part ? part : now;
    }
    return changes;
}

/// The words of a source, those of its directives too. The compiler's tokens leave directives out.
std::set<std::string, std::less<>> words_of(std::string_view source) {
    std::set<std::string, std::less<>> words;
    const auto is_letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    for (std::size_t i = 0; i < source.size();) {
        if (source.substr(i, 2) == "//") {
            i = std::min(source.find('\n', i), source.size());
        } else if (source.substr(i, 2) == "/*") {
            const auto end = source.find("*/", i + 2);
            i = end == std::string_view::npos ? source.size() : end + 2;
        } else if (source[i] == '"') {
            for (++i; i < source.size() && source[i] != '"' && source[i] != '\n'; ++i)
                if (source[i] == '\\') ++i;
            ++i;
        } else if (is_letter(source[i])) {
            const auto begin = i;
            while (i < source.size() && is_letter(source[i]))
                ++i;
            words.emplace(source.substr(begin, i - begin));
        } else {
            ++i;
        }
    }
    return words;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::string compile_message(const Report& report) {
    for (const auto& each : report.diagnostics)
        if (each.severity == "error") return fmt::format("line {}: {}", each.line, first_line(each.message));
    return report.error ? first_line(report.error->message) : std::string("the source does not compile");
}

std::string difference(const Report& report) {
    for (const auto& each : report.comparisons) {
        if (each.passed) continue;
        if (!each.problem.empty()) return fmt::format("{}: {}", each.argument, first_line(each.problem));
        return fmt::format("{}: {}", each.argument, mismatch_text(each));
    }
    return {};
}

std::string first_finding(const Report& report) {
    if (report.findings.all.empty()) return {};
    const auto& first = report.findings.all.front();
    return first.place.line > 0 ? fmt::format("line {}: {}", first.place.line, first_line(first.message))
                                : first_line(first.message);
}

CaseOutcome outcome_of(const Report& report) {
    switch (report.status) {
    case Status::ok: return CaseOutcome::pass;
    case Status::expectation_failed: return CaseOutcome::wrong_result;
    case Status::findings: return difference(report).empty() ? CaseOutcome::findings : CaseOutcome::wrong_result;
    case Status::input_error: return CaseOutcome::cannot_run;
    case Status::compile_error: return CaseOutcome::compile_error;
    case Status::cancelled: return CaseOutcome::stopped;
    case Status::limit_reached: return report.end == "memory" ? CaseOutcome::memory : CaseOutcome::time;
    case Status::device_error: break;
    }
    if (report.end == "memory" || report.end == "system_memory" || (report.error && report.error->kind == "memory"))
        return CaseOutcome::memory;
    constexpr std::array<std::string_view, 5> ends = {"crash", "kernel_crash", "abort", "killed", "confinement"};
    return std::ranges::find(ends, report.end) != ends.end() ? CaseOutcome::crash : CaseOutcome::device_error;
}

} // namespace

std::string_view label_of(CaseOutcome outcome) { return labels.at(static_cast<std::size_t>(outcome)); }

std::optional<CaseOutcome> outcome_from(std::string_view label) {
    const auto found = std::ranges::find(labels, label);
    if (found == labels.end()) return std::nullopt;
    return static_cast<CaseOutcome>(found - labels.begin());
}

Session session_of_case(const Session& exercise, const ExerciseCase& each) {
    Session base = exercise;
    base.exercise.reset();
    base.sweep.reset();
    base.notes = {};
    base.repeat = 1;
    base.warmup = 0;
    base.profile = false;
    if (each.checks) base.checks = *each.checks;
    for (Argument& argument : base.arguments)
        argument.save.clear();
    if (each.arguments.empty() && each.launch.empty()) return base;
    ordered_json document = ordered_json::parse(to_text(base));
    const auto refuse = [&](const std::string& problem) {
        throw SessionError(fmt::format("The case \"{}\" of the exercise {}", each.name, problem), "/exercise/cases");
    };
    if (!each.launch.empty()) document["launch"].update(ordered_json::parse(each.launch));
    if (!each.arguments.empty()) {
        const ordered_json changes = ordered_json::parse(each.arguments);
        for (const auto& [name, keys] : changes.items()) {
            auto* argument = find_argument(document, name);
            if (!argument)
                refuse(fmt::format("changes the argument \"{}\", which the session does not have.", name));
            else
                change_argument(*argument, keys);
        }
    }
    try {
        // Values may need a later version than those of the session.
        document["warplight"] = format_version;
        return session_from_json(document);
    } catch (const SessionError& error) {
        refuse(fmt::format("does not make a session: {}", error.what()));
    }
    return base;
}

void change_case(ExerciseCase& each, const Session& exercise, const Session& made) {
    ExerciseCase plain = each;
    plain.arguments.clear();
    plain.launch.clear();
    const auto before = ordered_json::parse(to_text(session_of_case(exercise, plain)));
    auto after = ordered_json::parse(to_text(made));
    ordered_json arguments = ordered_json::object(), launch = ordered_json::object();
    for (const auto& argument : before["arguments"]) {
        const auto name = argument.value("name", std::string());
        const auto* now = find_argument(after, name);
        if (!now) continue;
        if (auto changes = argument_changes(argument, *now, name); !changes.empty()) arguments[name] = changes;
    }
    for (const auto& [key, value] : after["launch"].items())
        if (!before["launch"].contains(key) || before["launch"][key] != value) launch[key] = value;
    for (const auto& [key, value] : before["launch"].items())
        if (!after["launch"].contains(key))
            throw SessionError(fmt::format("A case cannot take the \"{}\" of the launch away.", key),
                               "/exercise/cases");
    each.arguments = arguments.empty() ? std::string() : arguments.dump();
    each.launch = launch.empty() ? std::string() : launch.dump();
}

void check_exercise(const Session& session) {
    if (!session.exercise)
        throw SessionError("The session is no exercise: it has no \"exercise\" with cases. docs/classroom.md tells how "
                           "one is written.",
                           "/exercise");
    for (const auto& each : session.exercise->cases) {
        if (session.pipeline && !each.launch.empty())
            throw SessionError(fmt::format("The case \"{}\" of the exercise changes \"launch\", which a session with a "
                                           "pipeline does not use. Let a formula of the step's \"grid\" name a "
                                           "scalar, and change that.",
                                           each.name),
                               "/exercise/cases");
        const Session made = session_of_case(session, each);
        const bool expects =
            std::ranges::any_of(made.arguments, [](const Argument& a) { return a.expect.has_value(); });
        if (!expects && !made.checks.any())
            throw SessionError(fmt::format("The case \"{}\" of the exercise has nothing that a solution could fail: "
                                           "give an argument an \"expect\", or the case \"checks\".",
                                           each.name),
                               "/exercise/cases");
    }
}

std::string broken_rule(const Exercise& exercise, std::string_view source) {
    if (exercise.required.empty() && exercise.forbidden.empty()) return {};
    const auto words = words_of(source);
    for (const auto& each : exercise.forbidden)
        if (words.contains(each)) return fmt::format("The source uses {}, which this exercise forbids.", each);
    for (const auto& each : exercise.required)
        if (!words.contains(each))
            return fmt::format("The source does not use {}, which this exercise requires.", each);
    return {};
}

CaseResult judge(const ExerciseCase& each, const Report& report) {
    CaseResult result;
    result.name = each.name;
    result.hidden = each.hidden;
    result.points = each.points;
    result.outcome = outcome_of(report);
    result.ms = report.wall_ms;
    result.findings = report.findings.all.size();
    if (result.passed()) return result;
    result.hint = each.hint;
    switch (result.outcome) {
    case CaseOutcome::wrong_result: result.message = difference(report); break;
    case CaseOutcome::findings: result.message = first_finding(report); break;
    case CaseOutcome::compile_error: result.message = compile_message(report); break;
    default: result.message = report.error ? first_line(report.error->message) : std::string();
    }
    return result;
}

} // namespace warplight::session
