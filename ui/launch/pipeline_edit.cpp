// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/launch/pipeline_edit.hpp"

#include "ui/launch/argument_guess.hpp"
#include "ui/launch/argument_text.hpp"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <array>

namespace warplight::ui {
namespace {

using session::PipelineStep;
using Steps = std::vector<PipelineStep>;

QString tr(const char* text) { return QCoreApplication::translate("warplight::ui", text); }

/// The list that the step is in; null where the path leads nowhere.
Steps* listOf(session::Pipeline& pipeline, const StepPath& path) {
    Steps* list = &pipeline.steps;
    for (qsizetype i = 0; i + 1 < path.size(); ++i) {
        if (path[i] < 0 || path[i] >= int(list->size())) return nullptr;
        auto* loop = std::get_if<session::LoopStep>(&(*list)[std::size_t(path[i])].what);
        if (!loop) return nullptr;
        list = &loop->steps;
    }
    return list;
}

bool isArray(const session::Argument& argument) { return argument.direction != session::Direction::scalar; }

const session::Argument* argumentOf(const session::Session& session, const std::string& name) {
    const auto found = std::ranges::find(session.arguments, name, &session::Argument::name);
    return found == session.arguments.end() ? nullptr : &*found;
}

QString extents(const std::vector<std::uint32_t>& sides) {
    auto count = sides.size();
    while (count > 1 && sides[count - 1] == 1)
        --count;
    QStringList texts;
    for (std::size_t i = 0; i < count; ++i)
        texts << QString::number(sides[i]);
    return texts.join(QStringLiteral(" × "));
}

QString text(const std::string& from) { return QString::fromStdString(from); }

QString problemOf(const session::LaunchStep& step, const session::Session& session,
                  const std::vector<compiler::Kernel>& kernels) {
    for (const session::StepArgument& each : step.arguments) {
        if (each.name.empty()) continue;
        const session::Argument* argument = argumentOf(session, each.name);
        if (!argument) return tr("There is no argument \"%1\".").arg(text(each.name));
        if (argument->variable) return tr("\"%1\" is a variable: no kernel is given it.").arg(text(each.name));
    }
    if (kernels.empty()) return {};
    auto kernel = std::ranges::find(kernels, step.kernel, &compiler::Kernel::name);
    if (step.kernel.empty()) { // which a source with one kernel does not need
        if (kernels.size() > 1) return tr("The source has several kernels. Choose one.");
        kernel = kernels.begin();
    }
    if (kernel == kernels.end()) {
        // An instance of a template may not have been seen yet.
        const std::string base = step.kernel.substr(0, step.kernel.find('<'));
        const bool known = std::ranges::any_of(
            kernels, [&](const auto& each) { return each.name.substr(0, each.name.find('<')) == base; });
        return known ? QString() : tr("The source has no kernel \"%1\".").arg(text(step.kernel));
    }
    if (kernel->is_template)
        return tr("%1 is a template. Name the instance, such as %1<float>.").arg(text(step.kernel));
    if (kernel->parameters.size() != step.arguments.size())
        return tr("%1 takes %2 arguments, and is given %3.")
            .arg(text(step.kernel))
            .arg(kernel->parameters.size())
            .arg(step.arguments.size());
    for (std::size_t i = 0; i < step.arguments.size(); ++i) {
        const std::string& name = step.arguments[i].name;
        const compiler::Parameter& parameter = kernel->parameters[i];
        const bool array = !name.empty() && isArray(*argumentOf(session, name));
        if (parameter.pointer != array)
            return (parameter.pointer ? tr("The parameter %1 needs an array.") : tr("The parameter %1 is a number."))
                .arg(text(parameter.name));
    }
    return {};
}

QString arrayProblem(const session::Session& session, const std::string& name) {
    const session::Argument* argument = argumentOf(session, name);
    if (!argument) return tr("There is no argument \"%1\".").arg(text(name));
    return isArray(*argument) ? QString() : tr("\"%1\" is a number, and an array is needed.").arg(text(name));
}

struct Names {
    QStringList operator()(const session::LaunchStep&) const { return {}; }
    QStringList operator()(const session::CopyStep& step) const { return {text(step.from), text(step.to)}; }
    QStringList operator()(const session::FillStep& step) const { return {text(step.buffer)}; }
    QStringList operator()(const session::SwapStep& step) const { return {text(step.first), text(step.second)}; }
    QStringList operator()(const session::LoopStep&) const { return {}; }
};

} // namespace

QString stepNumber(const StepPath& path) {
    QStringList parts;
    for (const int each : path)
        parts << QString::number(each + 1);
    return parts.join(QLatin1Char('.'));
}

PipelineStep* stepAt(session::Pipeline& pipeline, const StepPath& path) {
    Steps* list = path.isEmpty() ? nullptr : listOf(pipeline, path);
    if (!list || path.last() < 0 || path.last() >= int(list->size())) return nullptr;
    return &(*list)[std::size_t(path.last())];
}

const PipelineStep* stepAt(const session::Pipeline& pipeline, const StepPath& path) {
    return stepAt(const_cast<session::Pipeline&>(pipeline), path);
}

StepPath insertStep(session::Pipeline& pipeline, const StepPath& path, PipelineStep step) {
    PipelineStep* at = stepAt(pipeline, path);
    if (!at) {
        pipeline.steps.push_back(std::move(step));
        return {int(pipeline.steps.size()) - 1};
    }
    StepPath place = path;
    if (auto* loop = std::get_if<session::LoopStep>(&at->what)) {
        loop->steps.push_back(std::move(step));
        place << int(loop->steps.size()) - 1;
        return place;
    }
    Steps& list = *listOf(pipeline, path);
    list.insert(list.begin() + ++place.last(), std::move(step));
    return place;
}

void removeStep(session::Pipeline& pipeline, const StepPath& path) {
    if (!stepAt(pipeline, path)) return;
    Steps& list = *listOf(pipeline, path);
    list.erase(list.begin() + path.last());
}

StepPath duplicateStep(session::Pipeline& pipeline, const StepPath& path) {
    const PipelineStep* step = stepAt(pipeline, path);
    if (!step) return path;
    PipelineStep copy = *step;
    Steps& list = *listOf(pipeline, path);
    StepPath place = path;
    list.insert(list.begin() + ++place.last(), std::move(copy));
    return place;
}

StepPath moveStep(session::Pipeline& pipeline, const StepPath& path, bool down) {
    PipelineStep* step = stepAt(pipeline, path);
    if (!step) return path;
    Steps& list = *listOf(pipeline, path);
    const int here = path.last(), beside = here + (down ? 1 : -1);
    PipelineStep moved = *step;
    StepPath place = path;
    if (beside < 0 || beside >= int(list.size())) {
        if (path.size() < 2) return path;
        list.erase(list.begin() + here);
        place.removeLast();
        Steps& outer = *listOf(pipeline, place);
        if (down) ++place.last();
        outer.insert(outer.begin() + place.last(), std::move(moved));
        return place;
    }
    if (auto* loop = std::get_if<session::LoopStep>(&list[std::size_t(beside)].what)) {
        const int inside = down ? 0 : int(loop->steps.size());
        loop->steps.insert(loop->steps.begin() + inside, std::move(moved));
        list.erase(list.begin() + here);
        place.last() = down ? here : beside; // a loop behind the step has moved up
        place << inside;
        return place;
    }
    std::swap(list[std::size_t(here)], list[std::size_t(beside)]);
    place.last() = beside;
    return place;
}

session::Pipeline pipelineOf(const session::Session& session) {
    session::LaunchStep launch;
    launch.kernel = session.kernel;
    launch.launch = session.launch;
    for (const session::Argument& argument : session.arguments) {
        session::StepArgument given;
        given.name = argument.name;
        if (!argument.variable) launch.arguments.push_back(std::move(given));
    }
    session::Pipeline pipeline;
    PipelineStep step;
    step.what = std::move(launch);
    pipeline.steps.push_back(std::move(step));
    return pipeline;
}

PipelineStep newStep(const session::Session& session, int kind) {
    std::vector<std::string> arrays;
    for (const session::Argument& argument : session.arguments)
        if (isArray(argument)) arrays.push_back(argument.name);
    const auto name = [&](std::size_t i) {
        return arrays.empty() ? std::string() : arrays[std::min(i, arrays.size() - 1)];
    };
    PipelineStep step;
    switch (kind) {
    case 0: step = std::move(pipelineOf(session).steps.front()); break;
    case 1: {
        session::CopyStep copy;
        copy.from = name(0);
        copy.to = name(1);
        step.what = copy;
        break;
    }
    case 2: {
        session::FillStep fill;
        fill.buffer = name(0);
        step.what = fill;
        break;
    }
    case 3: step.what = session::SwapStep{name(0), name(1)}; break;
    default: {
        session::LoopStep loop;
        loop.times = 10;
        step.what = loop;
    }
    }
    return step;
}

const session::LaunchStep* firstLaunch(const session::Pipeline& pipeline, const std::string& argument) {
    const session::LaunchStep* first = nullptr;
    session::visit_steps(pipeline.steps, [&](const PipelineStep& step, const std::string&) {
        const auto* launch = std::get_if<session::LaunchStep>(&step.what);
        if (first || !launch) return;
        const auto& given = launch->arguments;
        if (argument.empty() || std::ranges::find(given, argument, &session::StepArgument::name) != given.end())
            first = launch;
    });
    return first;
}

QString stepText(const PipelineStep& step) {
    if (const auto* launch = std::get_if<session::LaunchStep>(&step.what))
        return launch->kernel.empty() ? tr("the kernel") : text(launch->kernel);
    if (const auto* copy = std::get_if<session::CopyStep>(&step.what))
        return tr("Copy %1 to %2").arg(text(copy->from), text(copy->to));
    if (const auto* fill = std::get_if<session::FillStep>(&step.what))
        return tr("Fill %1 with %2").arg(text(fill->buffer), numberText(fill->value));
    if (const auto* swap = std::get_if<session::SwapStep>(&step.what))
        return tr("Swap %1 and %2").arg(text(swap->first), text(swap->second));
    const auto& loop = std::get<session::LoopStep>(step.what);
    return loop.until.empty() ? tr("Loop, %1 rounds").arg(loop.times) : tr("Loop until %1").arg(text(loop.until));
}

QString stepDetails(const PipelineStep& step) {
    if (const auto* launch = std::get_if<session::LaunchStep>(&step.what)) {
        QStringList given, grid;
        for (const session::StepArgument& each : launch->arguments)
            given << (!each.name.empty()      ? text(each.name)
                      : !each.formula.empty() ? QStringLiteral("= ") + text(each.formula)
                                              : numberText(each.value));
        for (const std::string& each : launch->grid)
            grid << text(each);
        return tr("(%1), %2 blocks of %3")
            .arg(given.join(QStringLiteral(", ")),
                 grid.isEmpty() ? extents(launch->launch.grid) : grid.join(QStringLiteral(" × ")),
                 extents(launch->launch.block));
    }
    if (const auto* copy = std::get_if<session::CopyStep>(&step.what)) {
        if (!copy->count && !copy->from_start && !copy->to_start) return tr("all elements");
        return tr("%1 elements from %2, to %3")
            .arg(copy->count ? QString::number(*copy->count) : tr("all"))
            .arg(copy->from_start)
            .arg(copy->to_start);
    }
    if (const auto* fill = std::get_if<session::FillStep>(&step.what)) {
        if (!fill->range.count && !fill->range.start) return tr("all elements");
        return tr("%1 elements from %2")
            .arg(fill->range.count ? QString::number(*fill->range.count) : tr("all"))
            .arg(fill->range.start);
    }
    if (const auto* loop = std::get_if<session::LoopStep>(&step.what); loop && !loop->until.empty())
        return tr("asked every %1, at most %2 rounds").arg(loop->every).arg(loop->at_most);
    return {};
}

QString pipelineProblem(const session::Session& session, const std::vector<compiler::Kernel>& kernels) {
    if (!session.pipeline) return {};
    QString problem;
    bool launches = false;
    session::visit_steps(session.pipeline->steps, [&](const PipelineStep& step, const std::string& path) {
        QString wrong;
        if (const auto* launch = std::get_if<session::LaunchStep>(&step.what)) {
            launches = true;
            wrong = problemOf(*launch, session, kernels);
        }
        if (const auto* loop = std::get_if<session::LoopStep>(&step.what); loop && loop->steps.empty())
            wrong = tr("The loop has no steps. Add one, or remove the loop.");
        for (const QString& name : std::visit(Names{}, step.what))
            if (wrong.isEmpty()) wrong = arrayProblem(session, name.toStdString());
        if (problem.isEmpty() && !wrong.isEmpty()) problem = tr("Step %1: %2").arg(text(path), wrong);
    });
    if (!launches) return tr("No step launches a kernel. Add one.");
    if (problem.isEmpty() && session.pipeline->frames)
        if (const QString wrong = arrayProblem(session, session.pipeline->frames->buffer); !wrong.isEmpty())
            problem = tr("Frames: %1").arg(wrong);
    return problem;
}

} // namespace warplight::ui
