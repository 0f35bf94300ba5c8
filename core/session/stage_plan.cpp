// SPDX-License-Identifier: Apache-2.0
#include "session/pipeline_plan.hpp"

#include "session/formula.hpp"
#include "session/json_reader.hpp"
#include "session/stages.hpp"
#include "session/sweep_values.hpp"
#include "session/textures.hpp"
#include "warplight/error.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <utility>

namespace warplight::session {
namespace {

constexpr const char* round_name = "round";
constexpr std::uint64_t most_frame_bytes = std::uint64_t{512} << 20;
constexpr std::uint64_t most_condition_bytes = std::uint64_t{1} << 20;

class Planner {
public:
    Planner(const Session& session, const std::vector<ArgumentData>& arguments, Plan& plan)
        : session_(session), arguments_(arguments), plan_(plan) {
        for (const ArgumentData& data : arguments) {
            if (!is_number(data) || !is_formula_name(data.argument->name)) continue;
            scalar_names_.push_back(data.argument->name);
            plan.scalars.push_back(value_of_scalar(data));
        }
    }

    void own_kernel();
    void pipeline(const Pipeline& pipeline);

private:
    std::vector<PlannedStep> steps(const std::vector<PipelineStep>& from, const std::string& above,
                                   const std::string& pointer);
    PlannedLaunch plan_step(const LaunchStep& step, const PlannedStep& at);
    PlannedCopy plan_step(const CopyStep& step, const PlannedStep& at);
    PlannedFill plan_step(const FillStep& step, const PlannedStep& at);
    PlannedSwap plan_step(const SwapStep& step, const PlannedStep& at);
    PlannedLoop plan_step(const LoopStep& step, const PlannedStep& at);

    [[nodiscard]] std::size_t find(const std::string& name, const std::string& pointer) const;
    [[nodiscard]] std::size_t array(const std::string& name, const std::string& pointer) const;
    PlannedArgument own_value(const StepArgument& argument, const PlannedStep& at, std::size_t index);
    std::vector<std::uint32_t> grid_of(const LaunchStep& step, const PlannedStep& at) const;
    std::size_t code_of(const std::string& kernel);
    void frames(const PipelineFrames& frames);
    void collect(std::vector<PlannedStep>& steps);

    const Session& session_;
    const std::vector<ArgumentData>& arguments_;
    Plan& plan_;
    std::vector<std::string> scalar_names_;
    std::size_t loops_ = 0; ///< at the top
};

std::size_t Planner::code_of(const std::string& kernel) {
    const auto found = std::ranges::find(plan_.kernels, kernel);
    if (found != plan_.kernels.end()) return static_cast<std::size_t>(found - plan_.kernels.begin());
    plan_.kernels.push_back(kernel);
    return plan_.kernels.size() - 1;
}

void Planner::own_kernel() {
    PlannedStep step;
    step.label = session_.kernel;
    PlannedLaunch launch{session_.kernel, code_of(session_.kernel), session_.launch, {}};
    for (std::size_t i = 0; i < arguments_.size(); ++i)
        if (!arguments_[i].argument->variable) launch.arguments.push_back({i, nullptr});
    step.what = std::move(launch);
    plan_.steps.push_back(std::move(step));
    plan_.step_count = 1;
    collect(plan_.steps);
}

void Planner::collect(std::vector<PlannedStep>& steps) {
    for (PlannedStep& step : steps) {
        if (std::holds_alternative<PlannedLaunch>(step.what)) plan_.launches.push_back(&step);
        if (auto* loop = std::get_if<PlannedLoop>(&step.what)) collect(loop->steps);
    }
}

void Planner::pipeline(const Pipeline& pipeline) {
    plan_.steps = steps(pipeline.steps, "", "/pipeline/steps");
    collect(plan_.steps);
    if (plan_.launches.empty())
        input_error("The pipeline launches no kernel. Add a step of the kind \"launch\".", "/pipeline/steps");
    if (pipeline.frames) frames(*pipeline.frames);
}

std::vector<PlannedStep> Planner::steps(const std::vector<PipelineStep>& from, const std::string& above,
                                        const std::string& pointer) {
    std::vector<PlannedStep> list;
    list.reserve(from.size());
    for (std::size_t i = 0; i < from.size(); ++i) {
        PlannedStep step;
        step.path = fmt::format("{}{}", above, i + 1);
        step.pointer = fmt::format("{}/{}", pointer, i);
        step.label = label_of(from[i]);
        step.number = plan_.step_count++;
        if (above.empty() && std::holds_alternative<LoopStep>(from[i].what)) ++loops_;
        std::visit([&](const auto& what) { step.what = plan_step(what, step); }, from[i].what);
        list.push_back(std::move(step));
    }
    return list;
}

std::size_t Planner::find(const std::string& name, const std::string& pointer) const {
    const auto found =
        std::ranges::find_if(arguments_, [&](const ArgumentData& data) { return data.argument->name == name; });
    if (found != arguments_.end() && !name.empty()) return static_cast<std::size_t>(found - arguments_.begin());
    std::vector<std::string_view> names;
    for (const ArgumentData& data : arguments_)
        if (!data.argument->name.empty()) names.push_back(data.argument->name);
    input_error(fmt::format("The session has no argument \"{}\". It has: {}.", name, fmt::join(names, ", ")), pointer);
}

std::size_t Planner::array(const std::string& name, const std::string& pointer) const {
    const std::size_t index = find(name, pointer);
    if (!arguments_[index].is_array())
        input_error(fmt::format("\"{}\" is a scalar, and this step needs an array.", name), pointer);
    return index;
}

PlannedArgument Planner::own_value(const StepArgument& argument, const PlannedStep& at, std::size_t index) {
    auto own = std::make_shared<OwnValue>();
    own->argument.direction = Direction::scalar;
    own->argument.type = argument.type;
    own->data.argument = &own->argument;
    own->data.pointer = fmt::format("{}/arguments/{}", at.pointer, index);
    own->data.label = fmt::format("{}: value {}", phrase_of(at), index + 1);
    try {
        if (argument.formula.empty()) {
            own->data.scalar = pack_scalar(argument.type, argument.value);
        } else {
            auto names = scalar_names_;
            names.emplace_back(round_name);
            own->expression = argument.formula;
            own->formula = std::make_unique<ScalarFormula>(argument.formula, std::move(names));
            own->data.scalar.resize(size_of_type(argument.type));
        }
    } catch (const SessionError& error) {
        input_error(error.what(), own->data.pointer);
    }
    return {0, std::move(own)};
}

std::vector<std::uint32_t> Planner::grid_of(const LaunchStep& step, const PlannedStep& at) const {
    auto names = scalar_names_;
    auto values = plan_.scalars;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        names.push_back(fmt::format("b{}", "xyz"[axis]));
        values.push_back(axis < step.launch.block.size() ? step.launch.block[axis] : 1);
    }
    std::vector<std::uint32_t> grid;
    for (std::size_t i = 0; i < step.grid.size(); ++i) {
        const std::string pointer = fmt::format("{}/grid/{}", at.pointer, i);
        double value = 0;
        try {
            value = ScalarFormula(step.grid[i], names).value(values);
        } catch (const SessionError& error) {
            input_error(fmt::format("{}: {}", phrase_of(at), error.what()), pointer);
        }
        if (!(value >= 1 && value <= std::numeric_limits<std::uint32_t>::max()) || value != std::floor(value))
            input_error(fmt::format("{}: the grid's formula \"{}\" makes {}, which is no number of blocks. Round it "
                                    "with ceil().",
                                    phrase_of(at), step.grid[i], value),
                        pointer);
        grid.push_back(static_cast<std::uint32_t>(value));
    }
    grid.resize(3, 1);
    return grid;
}

PlannedLaunch Planner::plan_step(const LaunchStep& step, const PlannedStep& at) {
    PlannedLaunch planned{step.kernel, code_of(step.kernel), step.launch, {}};
    if (!step.grid.empty()) planned.launch.grid = grid_of(step, at);
    for (std::size_t i = 0; i < step.arguments.size(); ++i) {
        const StepArgument& argument = step.arguments[i];
        if (argument.name.empty()) {
            planned.arguments.push_back(own_value(argument, at, i));
            continue;
        }
        const std::string pointer = fmt::format("{}/arguments/{}", at.pointer, i);
        const std::size_t found = find(argument.name, pointer);
        if (arguments_[found].argument->variable)
            input_error(fmt::format("\"{}\" is a variable of the source. Kernels use it by its name, and are not given "
                                    "it.",
                                    argument.name),
                        pointer);
        planned.arguments.push_back({found, nullptr});
    }
    return planned;
}

PlannedCopy Planner::plan_step(const CopyStep& step, const PlannedStep& at) {
    PlannedCopy copy{array(step.from, at.pointer + "/from"), array(step.to, at.pointer + "/to"), 0, 0, 0};
    const NdArray &from = arguments_[copy.from].input, &to = arguments_[copy.to].input;
    if (from.dtype() != to.dtype())
        input_error(fmt::format("{}: {} holds {}, and {} holds {}. A copy needs arrays of one type.", phrase_of(at),
                                step.from, from.dtype().name(), step.to, to.dtype().name()),
                    at.pointer);
    const std::uint64_t count =
        step.count.value_or(from.size() - std::min<std::uint64_t>(from.size(), step.from_start));
    const auto fits = [&](std::uint64_t start, const NdArray& array) {
        return start <= array.size() && count <= array.size() - start;
    };
    if (!fits(step.from_start, from) || !fits(step.to_start, to))
        input_error(fmt::format("{}: {} elements from {} of {} on do not fit into {} from {} on: the arrays have {} "
                                "and {} elements.",
                                phrase_of(at), count, step.from_start, step.from, step.to, step.to_start, from.size(),
                                to.size()),
                    at.pointer + "/count");
    const std::uint64_t apart = std::max(step.from_start, step.to_start) - std::min(step.from_start, step.to_start);
    if (copy.from == copy.to && apart < count) // the driver leaves open what that makes
        input_error(fmt::format("{}: {} elements from {} on and those from {} on overlap, and a copy within one array "
                                "must not. Copy them to another array, and from there.",
                                phrase_of(at), count, step.from_start, step.to_start),
                    at.pointer + "/to_start");
    copy.from_offset = step.from_start * from.itemsize();
    copy.to_offset = step.to_start * to.itemsize();
    copy.bytes = count * from.itemsize();
    return copy;
}

PlannedFill Planner::plan_step(const FillStep& step, const PlannedStep& at) {
    PlannedFill fill{array(step.buffer, at.pointer + "/buffer"), 0, 0, {}};
    const NdArray& buffer = arguments_[fill.buffer].input;
    const auto [start, wanted] = step.range;
    const std::uint64_t count = wanted.value_or(buffer.size() - std::min<std::uint64_t>(buffer.size(), start));
    if (start > buffer.size() || count > buffer.size() - start)
        input_error(fmt::format("{}: {} elements from {} on are not all in {}, which has {}.", phrase_of(at), count,
                                start, step.buffer, buffer.size()),
                    at.pointer + "/count");
    const std::string type = type_of_dtype(buffer.dtype().name());
    if (type.empty())
        input_error(fmt::format("{}: {} holds {}, which cannot be filled with a number.", phrase_of(at), step.buffer,
                                buffer.dtype().name()),
                    at.pointer + "/buffer");
    try {
        fill.element = pack_scalar(type, step.value);
    } catch (const SessionError& error) {
        input_error(fmt::format("{}: {}", phrase_of(at), error.what()), at.pointer + "/value");
    }
    fill.offset = start * buffer.itemsize();
    fill.count = count;
    return fill;
}

PlannedSwap Planner::plan_step(const SwapStep& step, const PlannedStep& at) {
    const PlannedSwap swap{array(step.first, at.pointer + "/buffers/0"), array(step.second, at.pointer + "/buffers/1")};
    const ArgumentData &first = arguments_[swap.first], &second = arguments_[swap.second];
    if (first.argument->variable || second.argument->variable)
        input_error(fmt::format("{}: variables of the source stay where they are. Copy them.", phrase_of(at)),
                    at.pointer + "/buffers");
    if (first.argument->texture != second.argument->texture || first.argument->surface != second.argument->surface)
        input_error(
            fmt::format("{}: {} and {} are not the same sort of texture or surface. Give both the same settings, "
                        "or copy them.",
                        phrase_of(at), step.first, step.second),
            at.pointer + "/buffers");
    if (first.input.dtype() != second.input.dtype() || first.input.shape() != second.input.shape())
        input_error(fmt::format("{}: {} is {} {}, and {} is {} {}. Only arrays of one type and shape can be swapped.",
                                phrase_of(at), step.first, first.input.dtype().name(),
                                warplight::to_string(first.input.shape()), step.second, second.input.dtype().name(),
                                warplight::to_string(second.input.shape())),
                    at.pointer + "/buffers");
    return swap;
}

PlannedLoop Planner::plan_step(const LoopStep& step, const PlannedStep& at) {
    PlannedLoop loop{steps(step.steps, at.path + ".", at.pointer + "/steps"), step.most_rounds(), step.until,
                     step.every};
    if (step.steps.empty())
        input_error(fmt::format("{}: The loop has no steps. Add one, or remove the loop.", phrase_of(at)),
                    at.pointer + "/steps");
    if (step.until.empty()) return loop;
    const std::string pointer = at.pointer + "/until";
    FormulaNames names = names_of_arguments(arguments_);
    const auto named = names_in_formula(step.until, names);
    names.scalars.emplace_back(round_name);
    try {
        check_formula(step.until, 1, names);
    } catch (const SessionError& error) {
        input_error(fmt::format("{}: {}", phrase_of(at), error.what()), pointer);
    }
    std::uint64_t bytes = 0;
    for (const ArgumentData& data : arguments_)
        if (data.is_array() && named.contains(data.argument->name)) bytes += data.input.nbytes();
    if (bytes > most_condition_bytes)
        input_error(fmt::format("{}: the formula reads {} each time, and {} are the most. Have a kernel write what "
                                "decides into a small array.",
                                phrase_of(at), format_bytes(bytes), format_bytes(most_condition_bytes)),
                    pointer);
    return loop;
}

void Planner::frames(const PipelineFrames& frames) {
    plan_.framed = array(frames.buffer, "/pipeline/frames/buffer");
    if (!loops_)
        input_error("Frames are kept at the end of rounds, and the pipeline has no loop. Add one, or leave \"frames\" "
                    "out.",
                    "/pipeline/frames");
    const std::uint64_t bytes = arguments_[*plan_.framed].input.nbytes();
    if (bytes != 0 && frames.at_most > most_frame_bytes / bytes)
        input_error(
            fmt::format("{} frames of {} are more than the {} that are kept. Keep fewer: \"at_most\" may be {}.",
                        frames.at_most, format_bytes(bytes), format_bytes(most_frame_bytes), most_frame_bytes / bytes),
            "/pipeline/frames/at_most");
}

} // namespace

bool PlannedLaunch::depends_on_round() const {
    return std::ranges::any_of(arguments, [](const PlannedArgument& each) { return each.own && each.own->formula; });
}

std::vector<KernelName> kernels_of(const Session& session) {
    if (!session.pipeline) return {{session.kernel, "/kernel"}};
    std::vector<KernelName> names;
    const auto add = [&](const auto& self, const std::vector<PipelineStep>& steps, const std::string& pointer) -> void {
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const std::string at = fmt::format("{}/{}", pointer, i);
            if (const auto* loop = std::get_if<LoopStep>(&steps[i].what)) self(self, loop->steps, at + "/steps");
            const auto* launch = std::get_if<LaunchStep>(&steps[i].what);
            if (launch && std::ranges::find(names, launch->kernel, &KernelName::name) == names.end())
                names.push_back({launch->kernel, at + "/kernel"});
        }
    };
    add(add, session.pipeline->steps, "/pipeline/steps");
    return names;
}

void make_plan(const Session& session, std::vector<ArgumentData>& arguments, Plan& plan) {
    Planner planner(session, arguments, plan);
    if (session.pipeline)
        planner.pipeline(*session.pipeline);
    else
        planner.own_kernel();
}

void fit_launches(const CompiledSource& compiled, const std::vector<ArgumentData>& arguments, Plan& plan) {
    for (PlannedStep* step : plan.launches) {
        auto& planned = std::get<PlannedLaunch>(step->what);
        const CompiledKernel& kernel = compiled.kernels[planned.code];
        std::vector<const ArgumentData*> given;
        given.reserve(planned.arguments.size());
        for (const PlannedArgument& each : planned.arguments)
            given.push_back(each.own ? &each.own->data : &arguments[each.argument]);
        in_step(*step, [&] {
            // PTX has no types of the source; the driver checks sizes.
            if (compiled.from_source) check_parameters(kernel, given);
            for (std::size_t i = 0; i < given.size(); ++i) {
                if (!given[i]->is_array()) continue;
                GivenAs& as = planned.arguments[i].as;
                as = given_as(*given[i], compiled.from_source ? &kernel.kernel.parameters[i] : nullptr);
                if (as == GivenAs::address && given[i]->is_texture() && step->path.empty())
                    input_error(
                        fmt::format("{} is a texture of linear memory, but the kernel takes its address. Remove "
                                    "\"texture\": only in a pipeline another launch could read it.",
                                    given[i]->label),
                        given[i]->pointer + "/texture");
            }
        });
    }
}

const PlannedStep* find_step(const std::vector<PlannedStep>& steps, std::string_view path) {
    for (const PlannedStep& step : steps) {
        if (step.path == path) return &step;
        if (const auto* loop = std::get_if<PlannedLoop>(&step.what))
            if (const auto* found = find_step(loop->steps, path)) return found;
    }
    return nullptr;
}

void in_step(const PlannedStep& step, const std::function<void()>& check) {
    try {
        check();
    } catch (StageError& error) {
        if (step.path.empty() || error.error.pointer.starts_with("/arguments/") ||
            error.error.pointer.starts_with("/pipeline/"))
            throw;
        error.error.message = fmt::format("{}: {}", phrase_of(step), error.error.message);
        error.error.pointer = step.pointer + error.error.pointer;
        throw;
    }
}

std::string phrase_of(const PlannedStep& step) {
    return step.label.empty() ? fmt::format("Step {}", step.path) : fmt::format("Step {} ({})", step.path, step.label);
}

} // namespace warplight::session
