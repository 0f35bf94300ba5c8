// SPDX-License-Identifier: Apache-2.0
#include "session/exercise_document.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>
#include <utility>

namespace warplight::session {
namespace {

constexpr double longest_case = 3600; // seconds

ordered_json parsed(const std::string& text) {
    auto value = ordered_json::parse(text, nullptr, false);
    return value.is_object() ? value : ordered_json::object();
}

void add_rest(ordered_json& object, const std::string& unknown) {
    const auto rest = parsed(unknown);
    for (const auto& [key, value] : rest.items())
        if (!object.contains(key)) object[key] = value;
}

double read_time_limit(const JsonReader& reader, double fallback) {
    const double seconds = reader.real("time_limit", fallback);
    if (!(seconds > 0 && seconds <= longest_case))
        reader.refuse("time_limit", fmt::format("must be a number of seconds above 0, at most {}", longest_case));
    return seconds;
}

/// An object of objects, one for each argument that differs.
std::string read_overrides(const JsonReader& reader) {
    const auto* value = reader.find("arguments");
    if (!value) return {};
    if (!value->is_object())
        reader.refuse("arguments", "must be an object with the names of arguments as keys: {\"n\": {\"value\": 100}}");
    for (const auto& [name, keys] : value->items()) {
        if (!keys.is_object())
            reader.refuse("arguments",
                          fmt::format("has \"{}\", which must be an object such as {{\"value\": 100}}", name));
        for (const auto& [key, ignored] : keys.items())
            if (key != "value" && key != "source" && key != "expect" && key != "direction" && key != "type")
                reader.refuse("arguments", fmt::format("changes \"{}\" of \"{}\"; a case changes value, type, source, "
                                                       "direction and expect",
                                                       key, name));
    }
    return value->empty() ? std::string() : value->dump();
}

std::string read_launch_keys(const JsonReader& reader) {
    const auto* value = reader.find("launch");
    if (!value) return {};
    if (!value->is_object()) reader.refuse("launch", "must be an object such as {\"grid\": 8, \"block\": 128}");
    return value->empty() ? std::string() : value->dump();
}

ExerciseCase read_case(const JsonReader& reader) {
    ExerciseCase result;
    result.name = reader.text("name");
    if (result.name.empty()) reader.refuse("name", "is missing: results are told by the names of cases");
    result.arguments = read_overrides(reader);
    result.launch = read_launch_keys(reader);
    if (reader.has("checks")) {
        result.checks.emplace();
        for (const auto& name : reader.texts("checks")) {
            const auto check = name.empty() ? std::nullopt : findings::Checks::parse(name);
            if (!check)
                reader.refuse("checks",
                              fmt::format("has a text that is no check; there are {}", findings::names_of_checks()));
            result.checks->add(*check);
        }
    }
    result.points = reader.real("points", 1);
    if (!(result.points >= 0 && std::isfinite(result.points))) reader.refuse("points", "must be 0 or more");
    if (reader.has("time_limit")) result.time_limit = read_time_limit(reader, 0);
    result.hidden = reader.boolean("hidden", false);
    result.hint = reader.text("hint");
    result.unknown =
        reader.unknown({"name", "arguments", "launch", "checks", "points", "time_limit", "hidden", "hint"});
    return result;
}

ordered_json write_case(const ExerciseCase& each) {
    ordered_json object = {{"name", each.name}};
    if (!each.arguments.empty()) object["arguments"] = parsed(each.arguments);
    if (!each.launch.empty()) object["launch"] = parsed(each.launch);
    if (each.checks) object["checks"] = each.checks->words();
    if (each.points != 1) object["points"] = from_number(each.points);
    if (each.time_limit) object["time_limit"] = from_number(*each.time_limit);
    if (each.hidden) object["hidden"] = true;
    if (!each.hint.empty()) object["hint"] = each.hint;
    add_rest(object, each.unknown);
    return object;
}

} // namespace

Notes read_notes(const JsonReader& document) {
    Notes notes;
    const auto* value = document.find("notes");
    if (!value) return notes;
    if (value->is_string()) {
        notes.text = value->get<std::string>();
        return notes;
    }
    if (!value->is_object())
        document.refuse("notes", "must be a text in Markdown, or an object with the \"path\" of a file of it");
    const auto reader = document.object("notes");
    notes.path = reader.text("path");
    if (notes.path.empty()) reader.refuse("path", "is missing: name the file, such as notes.md");
    notes.unknown = reader.unknown({"path"});
    return notes;
}

ordered_json write_notes(const Notes& notes) {
    if (notes.path.empty()) return notes.text;
    ordered_json object = {{"path", notes.path}};
    add_rest(object, notes.unknown);
    return object;
}

Exercise read_exercise(const JsonReader& reader) {
    Exercise exercise;
    const auto* cases = reader.find("cases");
    if (!cases || !cases->is_array() || cases->empty())
        reader.refuse("cases", "must be a list with one case at least: {\"name\": \"small\"}");
    std::set<std::string> names;
    exercise.cases.reserve(cases->size());
    for (std::size_t i = 0; i < cases->size(); ++i) {
        const JsonReader each((*cases)[i], fmt::format("{}/{}", reader.at("cases"), i));
        exercise.cases.push_back(read_case(each));
        if (!names.insert(exercise.cases.back().name).second)
            each.refuse("name",
                        fmt::format("is \"{}\", as of another case; give each its own", exercise.cases.back().name));
    }
    exercise.hints = reader.texts("hints");
    exercise.required = reader.texts("required");
    exercise.forbidden = reader.texts("forbidden");
    exercise.time_limit = read_time_limit(reader, exercise.time_limit);
    exercise.unknown = reader.unknown({"cases", "hints", "required", "forbidden", "time_limit"});
    return exercise;
}

void change_paths(Exercise& exercise, const std::function<void(std::string&)>& place) {
    const auto change = [&](ordered_json& argument, const char* part, const char* key) {
        if (!argument.contains(part) || !argument[part].is_object() || !argument[part].contains(key)) return;
        auto& path = argument[part][key];
        if (!path.is_string()) return;
        auto text = path.get<std::string>();
        place(text);
        path = text;
    };
    for (auto& each : exercise.cases) {
        if (each.arguments.empty()) continue;
        auto arguments = parsed(each.arguments);
        for (auto& argument : arguments) {
            change(argument, "source", "path");
            change(argument, "expect", "path");
            change(argument, "expect", "session");
        }
        each.arguments = arguments.dump();
    }
}

ordered_json write_exercise(const Exercise& exercise) {
    ordered_json object = {{"cases", ordered_json::array()}};
    for (const auto& each : exercise.cases)
        object["cases"].push_back(write_case(each));
    if (!exercise.hints.empty()) object["hints"] = exercise.hints;
    if (!exercise.required.empty()) object["required"] = exercise.required;
    if (!exercise.forbidden.empty()) object["forbidden"] = exercise.forbidden;
    object["time_limit"] = from_number(exercise.time_limit);
    add_rest(object, exercise.unknown);
    return object;
}

} // namespace warplight::session
