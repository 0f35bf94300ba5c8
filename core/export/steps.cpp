// SPDX-License-Identifier: Apache-2.0
#include "export/steps.hpp"

#include "export/export_error.hpp"
#include "export/identifiers.hpp"
#include "export/scalar_text.hpp"
#include "export/template_text.hpp"
#include "export/texture_lines.hpp"
#include "session/formula.hpp"
#include "session/stages.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>
#include <variant>

namespace warplight::exporting {
namespace {

using session::PlannedStep;

/// As many as a run captures at once.
constexpr std::uint64_t most_nodes = 4096;
constexpr std::string_view indent = "    ";

std::string indented_by(std::string_view text, std::string_view by) {
    std::string result;
    while (!text.empty()) {
        const auto line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        result.append(line.empty() ? "" : by).append(line).append("\n");
    }
    return result;
}

/// Of types that both languages have. @throws ExportError
std::string type_of_number(const std::string& type, Language language, const std::string& formula) {
    if (session::dtype_of_type(type).empty() || type == "f16")
        throw ExportError(fmt::format("A launch takes the formula \"{}\" as a {}, which exported programs cannot "
                                      "compute. Give it another type, such as f32.",
                                      formula, type));
    const std::string dtype = session::dtype_of_type(type);
    if (language == Language::python) return "np." + dtype;
    if (dtype.starts_with("float")) return dtype == "float32" ? "float" : "double";
    return fmt::format("std::{}_t", dtype);
}

class StepsCoder {
public:
    StepsCoder(const Experiment& experiment, Language language, const StepWords& words)
        : experiment_(experiment), language_(language), words_(words) {}

    [[nodiscard]] std::string steps() { return of(experiment_.plan.steps); }
    [[nodiscard]] std::string swap(std::size_t first, std::size_t second) const {
        const auto a = device_name(experiment_.arguments[first].identifier);
        const auto b = device_name(experiment_.arguments[second].identifier);
        return is_python() ? fmt::format("{0}, {1} = {1}, {0}\n", a, b) : fmt::format("std::swap({}, {});\n", a, b);
    }

private:
    [[nodiscard]] bool is_python() const { return language_ == Language::python; }
    [[nodiscard]] std::string note(const std::string& text) const { return (is_python() ? "  # " : " // ") + text; }
    /// Of the innermost loop: how many rounds are done before the present one.
    [[nodiscard]] std::string round() const {
        if (!depth_) return "0.0";
        const std::string& name = experiment_.round_names[depth_ - 1];
        return is_python() ? name : fmt::format("static_cast<double>({})", name);
    }

    std::string of(const std::vector<PlannedStep>& steps) {
        std::string text;
        for (const PlannedStep& step : steps)
            text += std::visit([&](const auto& what) { return of(step, what); }, step.what);
        return text;
    }
    std::string of(const PlannedStep& step, const session::PlannedLaunch&) const {
        const auto found = std::ranges::find(experiment_.launches, &step, &ExportedLaunch::step);
        LaunchInProgram launch{*found, {}, ""};
        if (!experiment_.config_names.empty())
            launch.config = experiment_.config_names[static_cast<std::size_t>(found - experiment_.launches.begin())];
        for (const LaunchArgument& each : found->arguments)
            launch.arguments.push_back(each.formula ? ArgumentInProgram{number(*each.formula), true}
                                                    : ArgumentInProgram{words_.argument(each), false});
        return words_.launch(launch);
    }
    std::string of(const PlannedStep&, const session::PlannedCopy& copy) const {
        if (!copy.bytes) return {};
        const ExportedArgument &from = experiment_.arguments[copy.from], &to = experiment_.arguments[copy.to];
        return unload(from) + (copy.from == copy.to ? "" : unload(to)) +
               words_.copy({&from, copy.from_offset}, {&to, copy.to_offset}, copy.bytes) + load(to);
    }
    std::string of(const PlannedStep& step, const session::PlannedFill& fill) const {
        if (!fill.count) return {};
        FillInProgram made{{&experiment_.arguments[fill.buffer], fill.offset}, fill.count, fill.element.size(), 0};
        std::memcpy(&made.value, fill.element.data(), std::min<std::size_t>(fill.element.size(), 8));
        std::string text = words_.fill(made);
        text.insert(text.find('\n'), note(one_line(step.label)));
        return unload(*made.to.argument) + text + load(*made.to.argument);
    }
    /// Copies a texture to memory that steps reach, and back.
    [[nodiscard]] std::string unload(const ExportedArgument& argument) const { return move(argument, "unload"); }
    [[nodiscard]] std::string load(const ExportedArgument& argument) const { return move(argument, "load"); }
    [[nodiscard]] std::string move(const ExportedArgument& argument, std::string_view how) const {
        if (!is_apart(argument)) return {};
        return fmt::format("{}.{}({}\n", device_name(argument.identifier), how, is_python() ? ")" : "stream);");
    }
    std::string of(const PlannedStep&, const session::PlannedSwap& swapped) const {
        return swapped.first == swapped.second ? std::string() : swap(swapped.first, swapped.second);
    }
    std::string of(const PlannedStep& step, const session::PlannedLoop& loop) {
        const std::string& name = experiment_.round_names[depth_++];
        std::string body = of(loop.steps);
        if (!loop.until.empty()) body += ending(step, loop);
        --depth_;
        if (body.empty() && is_python()) body = "pass\n";
        if (is_python()) return fmt::format("for {} in range({}):\n", name, loop.rounds) + indented_by(body, indent);
        return fmt::format("for (std::int64_t {0} = 0; {0} < {1}; ++{0}) {{\n", name, loop.rounds) +
               indented_by(body, indent) + "}\n";
    }
    /// Asks now and then whether the loop's condition holds.
    [[nodiscard]] std::string ending(const PlannedStep&, const session::PlannedLoop& loop) const {
        const std::string done = experiment_.round_names[depth_ - 1] + " + 1";
        std::string ask;
        const auto names = session::names_of_arguments(experiment_.data);
        const auto named = session::names_in_formula(loop.until, names);
        for (const auto& each : experiment_.arguments)
            if (each.is_array() && named.contains(each.argument().name) && each.data->input.nbytes())
                ask += words_.read_back(each);
        const bool is_round_taken = std::ranges::find(names.scalars, "round") != names.scalars.end() ||
                                    std::ranges::find(names.arrays, "round") != names.arrays.end();
        const auto condition = formula_condition(loop.until, formula_words(is_round_taken ? "" : done));
        ask += is_python() ? fmt::format("if {}:\n    break\n", condition) : fmt::format("if ({}) break;\n", condition);
        if (loop.every == 1) return ask;
        if (is_python())
            return fmt::format("if ({0}) % {1} == 0 or {0} == {2}:\n", done, loop.every, loop.rounds) +
                   indented_by(ask, indent);
        return fmt::format("if (({0}) % {1} == 0 || {0} == {2}) {{\n", done, loop.every, loop.rounds) +
               indented_by(ask, indent) + "}\n";
    }
    [[nodiscard]] std::string number(const session::OwnValue& own) const {
        const std::string& formula = own.expression;
        const auto type = type_of_number(own.argument.type, language_, formula);
        const auto words = formula_words("");
        auto with_round = words;
        with_round.scalar = [&](std::string_view name) -> std::optional<std::string> {
            return name == "round" ? double_of(round()) : words.scalar(name);
        };
        with_round.element = nullptr; // such a formula names scalars alone
        const auto value = formula_value(formula, with_round);
        return is_python() ? fmt::format("formulas.number({}, {})", type, value)
                           : fmt::format("formulas::number<{}>({})", type, value);
    }
    [[nodiscard]] std::string double_of(const std::string& expression) const {
        return is_python() ? fmt::format("np.float64({})", expression) : expression;
    }
    /// @param done what `round` means; empty: it is no name of the formula's own
    [[nodiscard]] FormulaWords formula_words(const std::string& done) const {
        FormulaWords words;
        words.language = language_;
        words.scalar = [this, done](std::string_view name) -> std::optional<std::string> {
            for (const auto& each : experiment_.arguments)
                if (each.argument().name == name && session::is_number(*each.data)) return scalar(each);
            if (name != "round" || done.empty()) return std::nullopt;
            return is_python() ? fmt::format("np.float64({})", done) : fmt::format("static_cast<double>({})", done);
        };
        words.element = [this](std::string_view name,
                               const std::vector<std::string>& indices) -> std::optional<std::string> {
            for (const auto& each : experiment_.arguments)
                if (each.argument().name == name && each.is_array())
                    return is_python()
                               ? fmt::format("formulas.element({}, {})", now(each), fmt::join(indices, ", "))
                               : fmt::format("formulas::element({}, {{{}}})", now(each), fmt::join(indices, ", "));
            return std::nullopt;
        };
        return words;
    }
    [[nodiscard]] std::string scalar(const ExportedArgument& argument) const {
        // C++ has no half, and some programs have its bits.
        if (argument.argument().type == "f16")
            return double_of(fmt::format("{:#}", session::value_of_scalar(*argument.data)));
        if (is_python()) // variables are arrays
            return fmt::format("np.float64({}{})", argument.identifier, argument.is_variable() ? "[0]" : "");
        return fmt::format("static_cast<double>({})", argument.identifier);
    }
    /// Its contents at the time.
    [[nodiscard]] static std::string now(const ExportedArgument& argument) {
        return argument.data->input.nbytes() ? result_name(argument.identifier) : argument.identifier;
    }

    const Experiment& experiment_;
    const Language language_;
    const StepWords& words_;
    std::size_t depth_ = 0; ///< loops around the present step
};

bool has_conditions(const std::vector<PlannedStep>& steps) {
    return std::ranges::any_of(steps, [](const PlannedStep& step) {
        const auto* loop = std::get_if<session::PlannedLoop>(&step.what);
        return loop && (!loop->until.empty() || has_conditions(loop->steps));
    });
}

/// What a pass through the steps queues, and which memory each argument then has. Counts no further than `most_nodes`.
struct Walk {
    std::vector<std::size_t> order;
    std::uint64_t nodes = 0, swaps = 0;

    void over(const std::vector<PlannedStep>& steps) {
        for (const PlannedStep& step : steps) {
            if (std::max(nodes, swaps) > most_nodes) return;
            if (const auto* loop = std::get_if<session::PlannedLoop>(&step.what)) {
                for (std::uint64_t round = 0; round < loop->rounds && std::max(nodes, swaps) <= most_nodes; ++round)
                    over(loop->steps);
            } else if (const auto* swap = std::get_if<session::PlannedSwap>(&step.what)) {
                std::swap(order[swap->first], order[swap->second]);
                ++swaps;
            } else {
                ++nodes;
            }
        }
    }
};

} // namespace

FillInProgram FillInProgram::fitting() const {
    FillInProgram made = *this;
    if (bytes != 8) return made;
    made.bytes = 4;
    made.value = low();
    made.count = count * 2;
    return made;
}

StepsInProgram steps_of(const Experiment& experiment, Language language, const StepWords& words,
                        const GraphWords& graph) {
    StepsCoder coder(experiment, language, words);
    StepsInProgram program;
    program.steps = coder.steps();
    if (!experiment.is_pipeline() || !experiment.session.pipeline->graph) return program;
    const auto as_launches = [&](std::string_view because) {
        const std::string mark = language == Language::python ? "# " : "// ";
        program.steps.insert(0, fmt::format("{}A run of the session captures these steps as graphs. Here they are "
                                            "launches:\n{}{}.\n",
                                            mark, mark, because));
        return program;
    };
    if (!graph.why_not.empty()) return as_launches(graph.why_not);
    if (has_conditions(experiment.plan.steps)) return as_launches("the host decides when a loop ends");
    Walk walk;
    walk.order.resize(experiment.arguments.size());
    std::iota(walk.order.begin(), walk.order.end(), std::size_t{0});
    walk.over(experiment.plan.steps);
    if (std::max(walk.nodes, walk.swaps) > most_nodes)
        return as_launches(fmt::format("they are more than the {} that one graph takes", most_nodes));
    // Swaps that lead from the order behind the steps to that before them.
    std::vector<std::pair<std::size_t, std::size_t>> back;
    for (std::size_t i = 0; i < walk.order.size(); ++i)
        while (walk.order[i] != i) {
            back.emplace_back(i, walk.order[i]);
            std::swap(walk.order[i], walk.order[walk.order[i]]);
        }
    program.before =
        std::string(graph.begin) + indented_by(program.steps, graph.is_block ? indent : "") + std::string(graph.end);
    for (const auto& [first, second] : back)
        program.before += coder.swap(first, second);
    for (auto i = back.rbegin(); i != back.rend(); ++i)
        program.after += coder.swap(i->first, i->second);
    program.steps = graph.launch;
    program.captured = true;
    return program;
}

std::string list_of(const std::vector<ArgumentInProgram>& arguments) {
    std::string list;
    for (const auto& each : arguments)
        list += (list.empty() ? "" : ", ") + each.text;
    return list;
}

std::string extents_text(const std::array<std::uint32_t, 3>& extents) {
    return fmt::format("{}", fmt::join(extents, ", "));
}

bool uses_formulas(const Experiment& experiment) {
    return has_conditions(experiment.plan.steps) ||
           std::ranges::any_of(experiment.launches, [](const ExportedLaunch& launch) {
               return std::ranges::any_of(launch.arguments, [](const auto& each) { return each.formula != nullptr; });
           });
}

} // namespace warplight::exporting
