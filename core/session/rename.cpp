// SPDX-License-Identifier: Apache-2.0
#include "session/rename.hpp"

#include "session/formula_text.hpp"
#include "session/json_reader.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <utility>

namespace warplight::session {
namespace {

constexpr std::size_t longest_argument_name = 100; // as in formulas

/// Called with a formula, or with the name of an argument where `is_formula` is false; each may be changed.
using VisitText = std::function<void(std::string& text, bool is_formula)>;

void visit_json(ordered_json& value, const VisitText& visit, bool is_formula) {
    if (!value.is_string()) return;
    auto text = value.get<std::string>();
    visit(text, is_formula);
    value = text;
}

/// The keys of an argument that a case of an exercise changes.
void visit_case_argument(ordered_json& argument, const VisitText& visit) {
    const auto inside = [&](const char* key, const auto& look) {
        if (argument.is_object() && argument.contains(key) && argument[key].is_object()) look(argument[key]);
    };
    inside("value", [&](ordered_json& value) {
        if (value.contains("size_of")) visit_json(value["size_of"], visit, false);
    });
    inside("source", [&](ordered_json& source) {
        if (source.contains("expression")) visit_json(source["expression"], visit, true);
        if (source.contains("fields") && source["fields"].is_object())
            for (auto& field : source["fields"])
                visit_json(field, visit, true);
    });
    inside("expect", [&](ordered_json& expect) {
        if (expect.contains("expression")) visit_json(expect["expression"], visit, true);
    });
}

void visit_case(ExerciseCase& each, const VisitText& visit) {
    if (each.arguments.empty()) return;
    const auto before = ordered_json::parse(each.arguments, nullptr, false);
    if (!before.is_object()) return;
    ordered_json after = ordered_json::object();
    for (const auto& [key, value] : before.items()) {
        std::string name = key;
        visit(name, false);
        after[name] = value;
        visit_case_argument(after[name], visit);
    }
    each.arguments = after.dump();
}

void visit_argument(Argument& argument, const VisitText& visit) {
    if (argument.direction == Direction::scalar) {
        if (auto* size = std::get_if<SizeOf>(&argument.value)) visit(size->argument, false);
        return;
    }
    if (auto* formula = std::get_if<FormulaSource>(&argument.source)) visit(formula->expression, true);
    if (auto* fields = std::get_if<FieldsSource>(&argument.source))
        for (auto& field : fields->fields)
            visit(field.expression, true);
    if (argument.expect) visit(argument.expect->expression, true);
}

void visit_step(PipelineStep& step, const VisitText& visit) {
    if (auto* launch = std::get_if<LaunchStep>(&step.what)) {
        for (StepArgument& each : launch->arguments) {
            visit(each.name, false);
            visit(each.formula, true);
        }
        for (std::string& each : launch->grid)
            visit(each, true);
    } else if (auto* copy = std::get_if<CopyStep>(&step.what)) {
        visit(copy->from, false);
        visit(copy->to, false);
    } else if (auto* fill = std::get_if<FillStep>(&step.what)) {
        visit(fill->buffer, false);
    } else if (auto* swap = std::get_if<SwapStep>(&step.what)) {
        visit(swap->first, false);
        visit(swap->second, false);
    } else if (auto* loop = std::get_if<LoopStep>(&step.what)) {
        visit(loop->until, true);
    }
}

/// "argument:NAME" and "shape:NAME"
void visit_sweep_name(std::string& name, const VisitText& visit) {
    for (const std::string_view kind : {"argument:", "shape:"}) {
        if (!name.starts_with(kind)) continue;
        std::string argument = name.substr(kind.size());
        visit(argument, false);
        name = std::string(kind) + argument;
    }
}

void visit_sweep(Sweep& sweep, const VisitText& visit) {
    for (SweepAxis& axis : sweep.vary)
        visit_sweep_name(axis.name, visit);
    for (SweepSetting& setting : sweep.set) {
        visit_sweep_name(setting.name, visit);
        for (std::string& each : setting.formulas)
            visit(each, true);
    }
    for (std::string* each : {&sweep.where, &sweep.bytes, &sweep.operations})
        visit(*each, true);
}

/// All references to arguments.
void visit_references(Session& session, const VisitText& visit) {
    for (Argument& argument : session.arguments)
        visit_argument(argument, visit);
    if (session.pipeline) {
        visit_steps(session.pipeline->steps, [&](PipelineStep& step, const std::string&) { visit_step(step, visit); });
        if (session.pipeline->frames) visit(session.pipeline->frames->buffer, false);
    }
    if (session.sweep) visit_sweep(*session.sweep, visit);
    if (session.exercise)
        for (ExerciseCase& each : session.exercise->cases)
            visit_case(each, visit);
}

} // namespace

std::string argument_name_problem(std::string_view name) {
    if (name.empty()) return "Give the argument a name.";
    if (name.size() > longest_argument_name)
        return fmt::format("A name has at most {} characters.", longest_argument_name);
    const auto names = names_of_formula(name);
    if (names.size() != 1 || names.front().text != name || name.find('.') != std::string_view::npos)
        return fmt::format("\"{}\" is no name for an argument: use letters, digits and _, and begin with no digit.",
                           name);
    return {};
}

std::string renamed_formula(const std::string& formula, const NewNames& names) {
    std::string result;
    std::size_t done = 0;
    for (const FormulaName& name : names_of_formula(formula)) {
        const auto found = names.find(name.base());
        if (found == names.end()) continue;
        result += formula.substr(done, name.place - done) + found->second;
        done = name.place + name.base().size();
    }
    return result + formula.substr(done);
}

bool is_in_formulas(const Session& session, std::string_view name) {
    Session copy = session;
    bool found = false;
    visit_references(copy, [&](std::string& text, bool is_formula) {
        if (is_formula && !found)
            found = std::ranges::any_of(names_of_formula(text),
                                        [&](const FormulaName& each) { return each.base() == name; });
    });
    return found;
}

std::string rename_problem(const Session& session, const std::string& from, const std::string& to) {
    if (from == to) return {};
    if (auto problem = argument_name_problem(to); !problem.empty()) return problem;
    if (std::ranges::find(session.arguments, to, &Argument::name) != session.arguments.end())
        return fmt::format("There is an argument {} already.", to);
    if (is_in_formulas(session, to))
        return fmt::format("A formula of the session means something else by {}. Choose another name.", to);
    return {};
}

void rename_references(Session& session, const NewNames& names) {
    visit_references(session, [&](std::string& text, bool is_formula) {
        if (is_formula)
            text = renamed_formula(text, names);
        else if (const auto found = names.find(text); found != names.end())
            text = found->second;
    });
}

void rename_arguments(Session& session, const NewNames& names) {
    rename_references(session, names);
    for (Argument& argument : session.arguments)
        if (const auto found = names.find(argument.name); found != names.end()) argument.name = found->second;
}

} // namespace warplight::session
