// SPDX-License-Identifier: Apache-2.0
#include "session/sweep_values.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace warplight::session {
namespace {

constexpr std::uint64_t most_extent = std::numeric_limits<std::uint32_t>::max();

Argument& argument_of(Session& session, const SweepName& name) {
    return *std::ranges::find(session.arguments, name.subject, &Argument::name);
}

std::vector<std::uint32_t> extents_of(const std::string& value, const SweepName& name) {
    std::vector<std::uint32_t> extents;
    for (const auto length : parse_lengths(value, name_of(name), 3, 1, most_extent))
        extents.push_back(static_cast<std::uint32_t>(length));
    extents.resize(3, 1);
    return extents;
}

Number number_of(const std::string& value, const SweepName& name) {
    const char* const end = value.data() + value.size();
    std::int64_t whole = 0;
    if (const auto read = std::from_chars(value.data(), end, whole); read.ec == std::errc() && read.ptr == end)
        return whole;
    std::uint64_t large = 0;
    if (const auto read = std::from_chars(value.data(), end, large); read.ec == std::errc() && read.ptr == end)
        return large;
    double real = 0; // also nan, inf and -inf
    if (const auto read = std::from_chars(value.data(), end, real); read.ec == std::errc() && read.ptr == end)
        return real;
    throw SessionError(fmt::format("The value \"{}\" of {} is no number.", value, name_of(name)), "/sweep/vary");
}

void set_shape(DataSource& source, const Shape& shape) {
    std::visit([&](auto& each) { each.shape = shape; }, source);
}

/// "scale<float, 8>" has two.
std::vector<std::string> template_arguments(const std::string& kernel) {
    const auto open = kernel.find('<');
    if (open == std::string::npos || !kernel.ends_with('>')) return {};
    return split_values(std::string_view(kernel).substr(open + 1, kernel.size() - open - 2), "()<>[]{}");
}

void set_template_argument(std::string& kernel, const SweepName& name, const std::string& value) {
    auto arguments = template_arguments(kernel);
    const auto index = std::stoul(name.subject) - 1;
    if (index >= arguments.size())
        throw SessionError(fmt::format("The kernel \"{}\" has {} template arguments, so {} cannot be set. Name an "
                                       "instance, such as scale<float, 8>.",
                                       kernel, arguments.size(), name_of(name)),
                           "/sweep/vary");
    if (value.empty()) throw SessionError(fmt::format("{} has an empty value.", name_of(name)), "/sweep/vary");
    arguments[index] = value;
    kernel = fmt::format("{}<{}>", kernel.substr(0, kernel.find('<')), fmt::join(arguments, ", "));
}

std::int64_t whole_value(const std::string& value, const SweepName& name, std::int64_t least, std::int64_t most) {
    std::int64_t whole = 0;
    const auto [end, problem] = std::from_chars(value.data(), value.data() + value.size(), whole);
    if (problem != std::errc() || end != value.data() + value.size() || whole < least || whole > most)
        throw SessionError(fmt::format("The value \"{}\" of {} must be a whole number from {} to {}.", value,
                                       name_of(name), least, most),
                           "/sweep/vary");
    return whole;
}

bool truth_of(const std::string& value, const SweepName& name) {
    if (value == "true" || value == "1") return true;
    if (value == "false" || value == "0") return false;
    throw SessionError(fmt::format("The value \"{}\" of {} must be true or false.", value, name_of(name)),
                       "/sweep/vary");
}

/// What the launch and the kernel of a session, or of a step, have. An empty value leaves a preference to the driver.
void set_of_launch(LaunchConfiguration& launch, std::string& kernel, const SweepName& name, const std::string& value) {
    switch (name.kind) {
    case SweepKind::block: launch.block = extents_of(value, name); return;
    case SweepKind::grid: launch.grid = extents_of(value, name); return;
    case SweepKind::extent: {
        auto& extents = name.subject[0] == 'b' ? launch.block : launch.grid;
        extents.resize(3, 1);
        extents[static_cast<std::size_t>(name.subject[1] - 'x')] =
            static_cast<std::uint32_t>(parse_lengths(value, name_of(name), 1, 1, most_extent).front());
        return;
    }
    case SweepKind::shared: launch.shared = parse_lengths(value, name_of(name), 1, 0, most_extent).front(); return;
    case SweepKind::cluster:
        launch.options.cluster = value.empty() ? std::vector<std::uint32_t>() : extents_of(value, name);
        return;
    case SweepKind::cooperative: launch.cooperative = truth_of(value, name); return;
    case SweepKind::carveout:
        launch.options.carveout =
            value.empty() ? std::nullopt : std::optional(static_cast<int>(whole_value(value, name, 0, 100)));
        return;
    case SweepKind::cache:
        if (!value.empty() && std::ranges::find(cache_preferences, value) == cache_preferences.end())
            throw SessionError(fmt::format("The value \"{}\" of {} must be {}, or nothing.", value, name_of(name),
                                           fmt::join(cache_preferences, ", ")),
                               "/sweep/vary");
        launch.options.cache = value;
        return;
    case SweepKind::kernel: kernel = value; return;
    default: set_template_argument(kernel, name, value);
    }
}

std::string list_of_steps(const Session& session) {
    std::string list;
    visit_steps(session.pipeline->steps, [&](const PipelineStep& step, const std::string& path) {
        if (std::holds_alternative<LaunchStep>(step.what) || std::holds_alternative<LoopStep>(step.what))
            list += fmt::format("{}{} ({})", list.empty() ? "" : ", ", path, label_of(step));
    });
    return list;
}

void set_of_step(PipelineStep& step, const std::string& path, const SweepName& name, const std::string& value) {
    if (auto* launch = std::get_if<LaunchStep>(&step.what)) {
        const bool is_grid = name.kind == SweepKind::grid || (name.kind == SweepKind::extent && name.subject[0] == 'g');
        if (is_grid) launch->grid.clear(); // its formulas
        if (name.kind != SweepKind::value) return set_of_launch(launch->launch, launch->kernel, name, value);
        const auto index = std::stoul(name.subject) - 1;
        if (index >= launch->arguments.size() || !launch->arguments[index].name.empty())
            throw SessionError(fmt::format("Argument {} of step {} is no value of the launch's own. A scalar of the "
                                           "session is varied by argument:NAME.",
                                           name.subject, path),
                               "/sweep/vary");
        auto& argument = launch->arguments[index];
        argument.formula.clear();
        argument.value = number_of(value, name);
        (void)pack_scalar(argument.type, argument.value);
        return;
    }
    auto& loop = std::get<LoopStep>(step.what);
    const auto rounds =
        static_cast<std::uint64_t>(whole_value(value, name, name.kind == SweepKind::times ? 0 : 1, most_loop_rounds));
    if ((name.kind == SweepKind::times) != loop.until.empty())
        throw SessionError(fmt::format("The loop of step {} {}", path,
                                       loop.until.empty() ? "has no condition: vary its times."
                                                          : "ends by a condition: vary every or at_most."),
                           "/sweep/vary");
    if (name.kind == SweepKind::times)
        loop.times = rounds;
    else
        (name.kind == SweepKind::every ? loop.every : loop.at_most) = rounds;
}

/// The name without its step.
std::string plain_name_of(const SweepName& name) {
    switch (name.kind) {
    case SweepKind::block: return "block";
    case SweepKind::grid: return "grid";
    case SweepKind::extent: return name.subject;
    case SweepKind::shared: return "shared";
    case SweepKind::cluster: return "cluster";
    case SweepKind::cooperative: return "cooperative";
    case SweepKind::carveout: return "carveout";
    case SweepKind::cache: return "cache";
    case SweepKind::priority: return "priority";
    case SweepKind::kernel: return "kernel";
    case SweepKind::template_argument: return "template:" + name.subject;
    case SweepKind::arch: return "arch";
    case SweepKind::compiler: return "compiler";
    case SweepKind::device: return "device";
    case SweepKind::option: return "option";
    case SweepKind::define: return "define:" + name.subject;
    case SweepKind::argument: return "argument:" + name.subject;
    case SweepKind::shape: return "shape:" + name.subject;
    case SweepKind::l2: return "l2";
    case SweepKind::run_as: return "run_as";
    case SweepKind::times: return "times";
    case SweepKind::every: return "every";
    case SweepKind::at_most: return "at_most";
    default: return "value:" + name.subject;
    }
}

/// Checks that the name fits a session with a pipeline, or without one, and finds its steps.
void find_steps(const Session& session, SweepName& name) {
    if (!session.pipeline) {
        if (name.step.empty() && name.kind != SweepKind::run_as) return;
        throw SessionError(fmt::format("{} is about a pipeline, and the session has none.", name_of(name)),
                           "/sweep/vary");
    }
    if (name.step.empty()) {
        if (is_of_launch(name.kind))
            throw SessionError(
                fmt::format("The session has a pipeline, so say which step is meant: step:STEP.{}, where "
                            "STEP is a kernel or a number. Its steps are {}.",
                            plain_name_of(name), list_of_steps(session)),
                "/sweep/vary");
        return;
    }
    name.paths = paths_of_steps(session, name.step);
    const bool of_loop = !is_of_launch(name.kind) && name.kind != SweepKind::value;
    visit_steps(session.pipeline->steps, [&](const PipelineStep& step, const std::string& path) {
        if (std::ranges::find(name.paths, path) == name.paths.end()) return;
        if (of_loop ? std::holds_alternative<LoopStep>(step.what) : std::holds_alternative<LaunchStep>(step.what))
            return;
        throw SessionError(fmt::format("Step {} ({}) is no {}, so it has no {}. The steps are {}.", path,
                                       label_of(step), of_loop ? "loop" : "launch", plain_name_of(name),
                                       list_of_steps(session)),
                           "/sweep/vary");
    });
}

} // namespace

std::string name_of(const SweepName& name) {
    return name.step.empty() ? plain_name_of(name) : fmt::format("step:{}.{}", name.step, plain_name_of(name));
}

std::vector<std::string> paths_of_steps(const Session& session, std::string_view step) {
    std::vector<std::string> paths;
    if (session.pipeline)
        visit_steps(session.pipeline->steps, [&](const PipelineStep& each, const std::string& path) {
            const auto* launch = std::get_if<LaunchStep>(&each.what);
            const bool is_kernel =
                launch && !launch->kernel.empty() &&
                (launch->kernel == step || launch->kernel.substr(0, launch->kernel.find('<')) == step);
            if (path == step || is_kernel) paths.push_back(path);
        });
    if (paths.empty())
        throw SessionError(session.pipeline ? fmt::format("The pipeline has no step \"{}\". Its steps are {}.", step,
                                                          list_of_steps(session))
                                            : fmt::format("The session has no pipeline, so it has no step {}.", step),
                           "/sweep/vary");
    return paths;
}

const LaunchConfiguration* launch_of(const Session& session, const SweepName& name) {
    if (!session.pipeline) return &session.launch;
    const LaunchConfiguration* found = nullptr;
    visit_steps(session.pipeline->steps, [&](const PipelineStep& step, const std::string& path) {
        const auto* launch = std::get_if<LaunchStep>(&step.what);
        if (!found && launch && std::ranges::find(name.paths, path) != name.paths.end()) found = &launch->launch;
    });
    return found;
}

void find_subject(const Session& session, SweepName& name) {
    find_steps(session, name);
    if (name.kind != SweepKind::argument && name.kind != SweepKind::shape) return;
    const auto found = std::ranges::find(session.arguments, name.subject, &Argument::name);
    if (found == session.arguments.end())
        throw SessionError(fmt::format("The session has no argument \"{}\".", name.subject), "/sweep/vary");
    const bool scalar = found->direction == Direction::scalar;
    if (name.kind == SweepKind::argument && !scalar)
        throw SessionError(fmt::format("The argument \"{0}\" is an array: shape:{0} varies its shape.", name.subject),
                           "/sweep/vary");
    if (name.kind == SweepKind::argument && found->type == struct_type)
        throw SessionError(fmt::format("The argument \"{}\" is a struct, which has no single value to vary. Vary a "
                                       "macro that the kernel uses instead: define:NAME.",
                                       name.subject),
                           "/sweep/vary");
    if (name.kind == SweepKind::shape && scalar)
        throw SessionError(
            fmt::format("The argument \"{0}\" is a scalar: argument:{0} varies its value.", name.subject),
            "/sweep/vary");
    if (name.kind == SweepKind::shape && std::holds_alternative<FileSource>(found->source))
        throw SessionError(fmt::format("The array \"{}\" comes from a file, which has its own shape.", name.subject),
                           "/sweep/vary");
}

void set_value(Session& session, const SweepName& name, const std::string& value) {
    if (!name.step.empty()) {
        visit_steps(session.pipeline->steps, [&](PipelineStep& step, const std::string& path) {
            if (std::ranges::find(name.paths, path) != name.paths.end()) set_of_step(step, path, name, value);
        });
        return;
    }
    if (is_of_launch(name.kind)) return set_of_launch(session.launch, session.kernel, name, value);
    switch (name.kind) {
    case SweepKind::priority: {
        const auto priority = static_cast<int>(whole_value(value, name, -furthest_priority, furthest_priority));
        session.launch.options.priority = priority;
        if (session.pipeline)
            visit_steps(session.pipeline->steps, [&](PipelineStep& step, const std::string&) {
                if (auto* launch = std::get_if<LaunchStep>(&step.what)) launch->launch.options.priority = priority;
            });
        return;
    }
    case SweepKind::l2:
        if (value != "warm" && value != "cold")
            throw SessionError(fmt::format("\"{}\" is no state of the L2 cache; there are warm and cold.", value),
                               "/sweep/vary");
        session.cold_l2 = value == "cold";
        return;
    case SweepKind::run_as:
        if (value != "launches" && value != "graph")
            throw SessionError(fmt::format("\"{}\" is no way to run a pipeline; there are launches and graph.", value),
                               "/sweep/vary");
        session.pipeline->graph = value == "graph";
        return;
    case SweepKind::arch: session.compile.arch = value; return;
    case SweepKind::compiler:
        if (value != "nvrtc" && value != "nvcc")
            throw SessionError(fmt::format("\"{}\" is no compiler; there are nvrtc and nvcc.", value), "/sweep/vary");
        session.compile.compiler = value;
        return;
    case SweepKind::device:
        (void)parse_device(value);
        session.device = value;
        return;
    case SweepKind::option: // nothing is a value, too: without an option
        if (!value.empty()) session.compile.options.push_back(value);
        return;
    case SweepKind::define: {
        // The last definition of a macro would win with a warning, so an earlier one goes.
        const std::string plain = "-D" + name.subject;
        std::erase_if(session.compile.options, [&](const std::string& option) {
            return option == plain || option.starts_with(plain + "=") ||
                   option.starts_with("--define-macro=" + name.subject + "=");
        });
        session.compile.options.push_back(fmt::format("{}={}", plain, value));
        return;
    }
    case SweepKind::argument: {
        auto& argument = argument_of(session, name);
        if (may_be_enumerator(argument.type, value)) {
            argument.value = Enumerator{value};
            return;
        }
        const auto number = number_of(value, name);
        (void)pack_scalar(argument.type, number);
        argument.value = number;
        return;
    }
    case SweepKind::shape: {
        const auto lengths = parse_shape(value);
        set_shape(argument_of(session, name).source, Shape(lengths.begin(), lengths.end()));
        return;
    }
    default: return; // of steps alone
    }
}

void set_number(Session& session, const SweepName& name, double value) {
    auto& argument = argument_of(session, name);
    Number number = value;
    if (value == std::floor(value) && std::abs(value) <= 0x1p53) number = static_cast<std::int64_t>(value);
    (void)pack_scalar(argument.type, number);
    argument.value = number;
}

std::vector<std::uint64_t> parse_shape(std::string_view value) {
    constexpr std::uint64_t most = std::uint64_t{1} << 40;
    auto lengths = parse_lengths(value, "shape", 32, 0, most);
    std::uint64_t elements = 1;
    for (const auto length : lengths) {
        if (length != 0 && elements > most / length)
            throw SessionError(fmt::format("The shape {} has more elements than any memory.", value), "/sweep/vary");
        elements *= length;
    }
    return lengths;
}

std::optional<Shape> shape_of(const DataSource& source) {
    return std::visit([](const auto& each) { return std::optional<Shape>(each.shape); }, source);
}

bool is_formula_name(std::string_view name) {
    if (name.empty() || (name[0] >= '0' && name[0] <= '9')) return false;
    return std::ranges::all_of(name, [](char c) {
        return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    });
}

} // namespace warplight::session
