// SPDX-License-Identifier: Apache-2.0
#include "export/experiment.hpp"

#include "compiler/builtin_headers.hpp"
#include "export/export_error.hpp"
#include "export/identifiers.hpp"
#include "files/input_file.hpp"
#include "files/paths.hpp"
#include "session/data_file.hpp"
#include "session/formula.hpp"
#include "session/options_check.hpp"
#include "session/reach.hpp"
#include "session/stages.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <system_error>
#include <utility>

namespace warplight::exporting {
namespace {

namespace fs = std::filesystem;
using session::CompiledSource;

/// The oldest architecture that all supported toolkits compile for. Every later device takes its PTX.
constexpr session::CompileTarget kTarget{8, 0, false};

/// Bytes that a block has; for more a kernel has to ask.
constexpr std::uint64_t kSharedWithoutAsking = 48 << 10;

void refuse_program(const session::Session& session) {
    throw ExportError(fmt::format(
        "The session is a program with main() already: {}. Build it with `nvcc`, or with `warplight-cli exec -- nvcc` "
        "for the software device. Sessions of a kernel are exported.",
        session.source.path.empty() ? session.source.name : session.source.path));
}

std::array<std::uint32_t, 3> extents_of(const std::vector<std::uint32_t>& list, std::string_view name,
                                        const session::PlannedStep& step) {
    std::array<std::uint32_t, 3> extents{1, 1, 1};
    std::copy_n(list.begin(), std::min<std::size_t>(list.size(), 3), extents.begin());
    if (std::ranges::find(extents, 0u) != extents.end())
        throw ExportError(fmt::format("{}The {} is {}: nothing would run. Every extent must be 1 or more.",
                                      step.path.empty() ? "" : session::phrase_of(step) + ": ", name,
                                      fmt::join(extents, " x ")));
    return extents;
}

fs::path real(const fs::path& file) {
    std::error_code problem;
    auto path = files::real_path(file, problem);
    return problem ? file : path;
}

bool is_below(const fs::path& file, const fs::path& folder) {
    const auto relative = file.lexically_relative(folder);
    return !relative.empty() && *relative.begin() != "..";
}

/// Below the exported folder.
std::string place_of(const fs::path& file, const fs::path& base) {
    const auto relative = file.lexically_relative(base);
    std::string path = "kernel";
    for (const auto& part : relative)
        if (part != ".") path += "/" + session::utf8_of(part);
    return path;
}

/// Keeps the places that the source and its headers have to each other.
void read_sources(const session::RunOptions& options, const CompiledSource& compiled, Experiment& experiment) {
    const auto& source = experiment.session.source;
    if (source.path.empty()) {
        if (!compiled.headers.empty())
            throw ExportError("The session's text is in its document and includes headers. Save the text as a file "
                              "beside them, and name it as the session's source.");
        const fs::path name = session::path_from_utf8(source.name.empty() ? "kernel.cu" : source.name).filename();
        experiment.sources.push_back({"kernel/" + session::utf8_of(name), source.text});
        return;
    }
    const auto reach = session::Reach::of(options);
    const auto file = reach.for_reading(reach.place(source.path));
    fs::path base = file.parent_path();
    std::vector<fs::path> headers;
    headers.reserve(compiled.headers.size());
    for (const auto& each : compiled.headers)
        headers.push_back(real(each));
    for (const auto& each : headers)
        while (!is_below(each, base) && base != base.parent_path())
            base = base.parent_path();
    experiment.sources.push_back({place_of(file, base), files::read_text(file, files::Kind::source)});
    for (const auto& each : headers)
        experiment.sources.push_back({place_of(each, base), files::read_text(each, files::Kind::source)});
    // Folders without a header that the source includes need not be there.
    const auto add_folder = [&](const fs::path& folder) {
        if (!is_below(folder, base)) return;
        if (std::ranges::none_of(headers, [&](const fs::path& each) { return is_below(each, folder); })) return;
        const auto place = place_of(folder, base);
        if (std::ranges::find(experiment.include_folders, place) == experiment.include_folders.end())
            experiment.include_folders.push_back(place);
    };
    add_folder(file.parent_path());
    for (const auto& each : session::include_folders_of(experiment.session.compile))
        add_folder(real(reach.place(each)));
}

/// All but include folders, which lie elsewhere now. The session's options were checked before.
std::vector<std::string> other_options(const std::vector<std::string>& options) {
    std::vector<std::string> others;
    for (std::size_t i = 0; i < options.size(); ++i) {
        const std::string_view option = options[i];
        if (option == "-I" || option == "--include-path")
            ++i;
        else if (!option.starts_with("-I") && !option.starts_with("--include-path="))
            others.push_back(options[i]);
    }
    return others;
}

void add_stand_ins(Experiment& experiment) {
    const auto is_included = [&](const compiler::BuiltinHeader& header) {
        const auto name = fmt::format("<{}>", header.name);
        return std::ranges::any_of(experiment.sources,
                                   [&](const SourceFile& each) { return each.text.find(name) != std::string::npos; });
    };
    if (std::ranges::none_of(compiler::builtin_headers(), is_included)) return;
    for (const auto& each : compiler::builtin_headers())
        experiment.stand_ins.push_back({fmt::format("kernel/stand_ins/{}", each.name), each.text});
}

/// Bytes between the end of the parameters before it and a parameter, whose own bytes are added to them.
std::size_t place_parameter(const session::ArgumentData& data, std::size_t& end) {
    const auto type = data.is_array() ? std::nullopt : session::scalar_type(data.argument->type);
    std::size_t size = type ? type->size : 8, alignment = type ? type->alignment : 8;
    if (data.is_struct()) {
        size = data.scalar.size();
        alignment = std::max<std::size_t>(data.alignment, 1);
    }
    const std::size_t padding = (alignment - end % alignment) % alignment;
    end += padding + size;
    return padding;
}

void name_arguments(Experiment& experiment, Identifiers& identifiers) {
    experiment.arguments.reserve(experiment.data.size());
    for (const auto& data : experiment.data) {
        ExportedArgument argument;
        argument.data = &data;
        const std::string& name = data.argument->name;
        argument.identifier =
            identifiers.make(name.empty() ? fmt::format("argument{}", experiment.arguments.size()) : name);
        experiment.arguments.push_back(std::move(argument));
    }
}

/// Of the plan's kernels, and of what launches need besides.
void name_steps(const CompiledSource& compiled, Experiment& experiment, Identifiers& identifiers) {
    const bool is_pipeline = experiment.is_pipeline();
    for (std::size_t i = 0; i < compiled.kernels.size(); ++i) {
        const auto& each = compiled.kernels[i];
        const std::string& asked = experiment.plan.kernels[i];
        ExportedKernel kernel;
        kernel.name = !asked.empty() ? asked : each.kernel.name.empty() ? each.lowered : each.kernel.name;
        kernel.lowered = each.lowered;
        kernel.is_named = !asked.empty();
        kernel.is_template = kernel.name.find('<') != std::string::npos;
        kernel.identifier = is_pipeline ? identifiers.make(kernel.name) : "kernel";
        experiment.kernel += (i ? ", " : "") + kernel.name;
        experiment.kernels.push_back(std::move(kernel));
    }
    if (!is_pipeline) return;
    const auto deepest = [](const auto& self, const std::vector<session::PlannedStep>& steps) -> std::size_t {
        std::size_t depth = 0;
        for (const auto& each : steps)
            if (const auto* loop = std::get_if<session::PlannedLoop>(&each.what))
                depth = std::max(depth, self(self, loop->steps) + 1);
        return depth;
    };
    const std::size_t depth = deepest(deepest, experiment.plan.steps);
    for (std::size_t i = 1; i <= depth; ++i)
        experiment.round_names.push_back(identifiers.make(fmt::format("round_{}", i)));
    for (const auto* step : experiment.plan.launches) {
        std::string path = step->path;
        std::ranges::replace(path, '.', '_');
        experiment.config_names.push_back(identifiers.make("config_" + path));
    }
}

/// Values of launches alone become scalars of the program. @returns one of them
const ExportedArgument& name_value(const session::OwnValue& own, const std::string& name, Experiment& experiment,
                                   Identifiers& identifiers) {
    for (const auto& each : experiment.values)
        if (each.data == &own.data) return each;
    ExportedArgument value;
    value.data = &own.data;
    value.identifier = identifiers.make(name);
    return experiment.values.emplace_back(std::move(value));
}

void read_launches(const CompiledSource& compiled, Experiment& experiment, Identifiers& identifiers) {
    std::size_t count = 0;
    for (const auto* step : experiment.plan.launches)
        count += std::get<session::PlannedLaunch>(step->what).arguments.size();
    experiment.values.reserve(count); // launches point at them
    for (const auto* step : experiment.plan.launches) {
        const auto& planned = std::get<session::PlannedLaunch>(step->what);
        auto& kernel = experiment.kernels[planned.code];
        ExportedLaunch launch;
        launch.kernel = &kernel;
        launch.step = step;
        launch.grid = extents_of(planned.launch.grid, "grid", *step);
        launch.block = extents_of(planned.launch.block, "block", *step);
        std::size_t end = 0;
        for (std::size_t i = 0; i < planned.arguments.size(); ++i) {
            const auto& each = planned.arguments[i];
            LaunchArgument argument;
            argument.as = each.as;
            argument.padding = place_parameter(each.own ? each.own->data : experiment.data[each.argument], end);
            const auto& parameters = compiled.kernels[planned.code].kernel.parameters;
            const std::string name =
                i < parameters.size() && !parameters[i].name.empty() ? parameters[i].name : fmt::format("{}", i + 1);
            if (!each.own)
                argument.argument = &experiment.arguments[each.argument];
            else if (each.own->formula)
                argument.formula = each.own.get();
            else
                argument.argument =
                    &name_value(*each.own, fmt::format("{}_{}", kernel.identifier, name), experiment, identifiers);
            launch.arguments.push_back(argument);
        }
        if (planned.launch.shared >= kernel.shared) kernel.options = planned.launch.options;
        kernel.shared = std::max(kernel.shared, planned.launch.shared);
        experiment.launches.push_back(std::move(launch));
    }
}

std::string stem_of(const std::string& path) {
    const auto slash = path.rfind('/'), dot = path.rfind('.');
    return dot != std::string::npos && (slash == std::string::npos || dot > slash) ? path.substr(0, dot) : path;
}

/// Bytes that kernels of the text have at most, without those of the launch.
std::uint64_t static_shared(std::string_view ptx) {
    std::uint64_t bytes = 0;
    while (!ptx.empty()) {
        const auto line = ptx.substr(0, ptx.find('\n'));
        ptx.remove_prefix(std::min(line.size() + 1, ptx.size()));
        if (line.find(".shared .align") == std::string_view::npos || line.find(".extern") != std::string_view::npos)
            continue;
        const auto open = line.find('[');
        std::uint64_t size = 8; // of a single number
        if (open != std::string_view::npos) std::from_chars(line.data() + open + 1, line.data() + line.size(), size);
        bytes += size;
    }
    return bytes;
}

/// Names of unnamed namespaces are made of the file's path, and are others in another compilation.
bool has_local_names(const Experiment& experiment) {
    const auto is_local = [](const std::string& name) {
        return name.find("_GLOBAL__N_") != std::string::npos || name.find("_INTERNAL_") != std::string::npos;
    };
    return std::ranges::any_of(experiment.kernels, [&](const auto& each) { return is_local(each.lowered); }) ||
           std::ranges::any_of(experiment.data, [&](const auto& each) { return is_local(each.lowered); });
}

void read(const session::RunOptions& options, Experiment& experiment) {
    auto& session = experiment.session;
    experiment.device = session::parse_device(session.device).ordinal;
    session::prepare_data(session, options, {}, experiment.data);
    session::Report report;
    auto compiled = session::compile_kernels(session, options, {}, kTarget, report);
    session::fit_arguments(session, compiled, {}, experiment.data);
    session::make_plan(session, experiment.data, experiment.plan);
    session::fit_launches(compiled, experiment.data, experiment.plan);
    for (const auto& data : experiment.data)
        if (data.expected && data.input.dtype().descr().starts_with('['))
            throw ExportError(
                fmt::format("{} has structs, which a program saves, but does not compare. Remove \"expect\" "
                            "from the session's argument, and compare the saved files with NumPy.",
                            data.label));
    Identifiers identifiers;
    name_arguments(experiment, identifiers);
    name_steps(compiled, experiment, identifiers);
    read_launches(compiled, experiment, identifiers);
    experiment.identifiers = std::move(identifiers);
    if (!experiment.is_pipeline()) { // whose padding is that of its only launch
        std::size_t end = 0;
        for (auto& each : experiment.arguments)
            if (!each.is_variable()) each.padding = place_parameter(*each.data, end);
    }
    read_sources(options, compiled, experiment);
    experiment.is_ptx = session.source.is_ptx();
    experiment.has_local_names = has_local_names(experiment);
    const auto fixed = static_shared(compiled.ptx);
    for (auto& each : experiment.kernels)
        each.large_shared = each.shared + fixed > kSharedWithoutAsking;
    experiment.ptx = std::move(compiled.ptx);
    const std::string& source = experiment.sources.front().path;
    experiment.ptx_path = experiment.is_ptx ? source : stem_of(source) + ".ptx";
    if (experiment.is_ptx) return;
    experiment.options = other_options(session.compile.options);
    add_stand_ins(experiment);
}

bool is_launched(const Experiment& experiment, const ExportedArgument& argument) {
    return std::ranges::any_of(experiment.launches, [&](const ExportedLaunch& launch) {
        return std::ranges::find(launch.arguments, &argument, &LaunchArgument::argument) != launch.arguments.end();
    });
}

/// By its name: grids are numbers in programs, and so are halves in formulas.
bool is_in_formula(const Experiment& experiment, const ExportedArgument& argument) {
    if (argument.argument().type == "f16") return false;
    const std::string& name = argument.argument().name;
    const auto has = [&](const std::string& formula) {
        return !session::names_in_formula(formula, {.scalars = {name}, .arrays = {}}).empty();
    };
    bool found = false;
    session::visit_steps(experiment.session.pipeline->steps, [&](const session::PipelineStep& step, const auto&) {
        if (const auto* loop = std::get_if<session::LoopStep>(&step.what)) found = found || has(loop->until);
        if (const auto* launch = std::get_if<session::LaunchStep>(&step.what))
            for (const auto& each : launch->arguments)
                found = found || has(each.formula);
    });
    return found;
}

template <class Is>
std::vector<const ExportedArgument*> those(const std::vector<ExportedArgument>& all, const Is& is) {
    std::vector<const ExportedArgument*> list;
    for (const auto& each : all)
        if (is(each)) list.push_back(&each);
    return list;
}

} // namespace

bool ExportedArgument::is_zeros() const {
    // The fields of structs are told by a file alone.
    return data->input.dtype().is_numeric() && std::holds_alternative<session::ZerosSource>(argument().source);
}

std::vector<const ExportedArgument*> Experiment::scalars() const {
    std::vector<const ExportedArgument*> list = those(arguments, [&](const ExportedArgument& each) {
        if (each.is_array()) return false;
        return !is_pipeline() || each.is_variable() || is_launched(*this, each) || is_in_formula(*this, each);
    });
    for (const auto& each : values)
        list.push_back(&each);
    return list;
}
std::vector<const ExportedArgument*> Experiment::variables() const {
    return those(arguments, [](const ExportedArgument& each) { return each.is_variable(); });
}
std::vector<const ExportedArgument*> Experiment::arrays() const {
    return those(arguments, [](const ExportedArgument& each) { return each.is_array(); });
}
std::vector<const ExportedArgument*> Experiment::results() const {
    return those(arguments, [](const ExportedArgument& each) { return each.is_result(); });
}

std::unique_ptr<Experiment> read_experiment(const session::Session& session, const session::RunOptions& options) {
    if (session.program) refuse_program(session);
    auto experiment = std::make_unique<Experiment>();
    experiment->session = session;
    for (auto& argument : experiment->session.arguments)
        argument.save.clear(); // the program has a folder of its own for them
    try {
        read(options, *experiment);
    } catch (const session::StageError& error) {
        const std::string& at = error.error.pointer;
        throw ExportError(error.error.message + (at.empty() ? "" : fmt::format(" (at {} in the session)", at)),
                          error.status);
    } catch (const session::SessionError& error) {
        throw ExportError(error.what());
    } catch (const files::InputError& error) {
        throw ExportError(error.what());
    }
    return experiment;
}

} // namespace warplight::exporting
