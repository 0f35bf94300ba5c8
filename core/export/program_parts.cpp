// SPDX-License-Identifier: Apache-2.0
#include "export/program_parts.hpp"

#include "export/identifiers.hpp"
#include "export/scalar_text.hpp"
#include "export/steps.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace warplight::exporting {
namespace {

std::string python_tuple(const std::vector<std::size_t>& shape) {
    return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

std::string python_array_line(const ExportedArgument& argument) {
    const auto& array = argument.data->input;
    if (argument.is_zeros())
        return fmt::format("{} = np.zeros({}, np.{})", argument.identifier, python_tuple(array.shape()),
                           array.dtype().name());
    return fmt::format("{} = np.load(FOLDER / {})", argument.identifier, quoted_text(data_path(argument)));
}

std::string python_results(const Experiment& experiment) {
    Lines lines;
    lines.add(fmt::format("results.print_times({}, times)", quoted_text(experiment.kernel)));
    lines.add("passed = True");
    for (const auto* each : experiment.results()) {
        const auto result = result_name(each->identifier);
        lines.add(fmt::format("results.save(FOLDER / {}, {})", quoted_text(result_path(*each)), result));
        if (!each->data->expected) continue;
        const auto& expect = *each->argument().expect;
        lines.add(fmt::format("passed &= results.compare({}, {}, np.load(FOLDER / {}), rtol={}, atol={})",
                              quoted_text(each->argument().name), result, quoted_text(expected_path(*each)),
                              expect.rtol, expect.atol));
    }
    lines.add("sys.exit(0 if passed else 1)");
    return lines.text();
}

std::string cpp_array_line(const ExportedArgument& argument) {
    const auto& array = argument.data->input;
    if (argument.is_zeros())
        return fmt::format("const Array {} = experiment::zeros({}, {}, {{{}}});", argument.identifier,
                           quoted_text("'" + array.dtype().typestr() + "'"), array.itemsize(),
                           fmt::join(array.shape(), ", "));
    return fmt::format("const Array {} = experiment::load_npy(folder / {});", argument.identifier,
                       quoted_text(data_path(argument)));
}

std::string cpp_results(const Experiment& experiment) {
    Lines lines;
    for (const auto* each : experiment.results()) {
        const auto result = result_name(each->identifier);
        lines.add(fmt::format("experiment::save_npy(folder / {}, {});", quoted_text(result_path(*each)), result));
        if (!each->data->expected) continue;
        const auto& expect = *each->argument().expect;
        lines.add(fmt::format("passed &= experiment::compare({}, {}, experiment::load_npy(folder / {}), {}, {});",
                              quoted_text(each->argument().name), result, quoted_text(expected_path(*each)),
                              expect.rtol, expect.atol));
    }
    return lines.text();
}

template <class Line>
std::string lines_of(const std::vector<const ExportedArgument*>& arguments, const Line& line) {
    Lines lines;
    for (const auto* each : arguments)
        lines.add(line(*each));
    return lines.text();
}

bool has_option(const Experiment& experiment, std::string_view start) {
    return std::ranges::any_of(experiment.options, [&](std::string_view each) {
        each.remove_prefix(std::min(each.find_first_not_of('-'), each.size()));
        return each.starts_with(start);
    });
}

} // namespace

std::string data_path(const ExportedArgument& argument) { return fmt::format("data/{}.npy", argument.identifier); }
std::string expected_path(const ExportedArgument& argument) {
    return fmt::format("expected/{}.npy", argument.identifier);
}
std::string result_path(const ExportedArgument& argument) { return fmt::format("results/{}.npy", argument.identifier); }

std::string title_of(const Experiment& experiment) {
    const auto& title = experiment.session.title;
    return one_line(title.empty() ? "The " + kernels_phrase(experiment, "") : title);
}

std::string kernels_phrase(const Experiment& experiment, std::string_view quote) {
    std::string names;
    for (const auto& each : experiment.kernels)
        names += fmt::format("{}{}{}{}", names.empty() ? "" : ", ", quote, one_line(each.name), quote);
    return (experiment.kernels.size() > 1 ? "kernels " : "kernel ") + names;
}

bool is_empty(const ExportedArgument& argument) { return argument.is_array() && argument.data->input.nbytes() == 0; }

std::string joined(const std::vector<std::string>& list, std::string_view between) {
    return fmt::format("{}", fmt::join(list, between));
}

std::vector<std::string> compiler_options(const Experiment& experiment) {
    auto options = experiment.options;
    if (!has_option(experiment, "std")) options.emplace_back("--std=c++17");
    const bool has_lines = has_option(experiment, "lineinfo") || has_option(experiment, "generate-line-info") ||
                           has_option(experiment, "device-debug") || std::ranges::find(options, "-G") != options.end();
    if (experiment.session.compile.line_info && !has_lines) options.emplace_back("-lineinfo");
    return options;
}

std::vector<std::string> include_folders(const Experiment& experiment, bool stand_ins) {
    auto folders = experiment.include_folders;
    if (stand_ins && !experiment.stand_ins.empty()) folders.emplace_back("kernel/stand_ins");
    return folders;
}

std::string python_scalar_line(const ExportedArgument& argument) {
    const auto& type = argument.argument().type;
    const auto& bytes = argument.data->scalar;
    return fmt::format("{} = {}{}", argument.identifier,
                       argument.is_variable() ? python_array(type, bytes) : python_scalar(type, bytes),
                       scalar_note(type, "#"));
}

std::string python_list(const std::vector<std::string>& texts) {
    std::vector<std::string> list;
    list.reserve(texts.size());
    for (const auto& each : texts)
        list.push_back(quoted_text(each));
    return "[" + joined(list) + "]";
}

std::string python_folders(const std::vector<std::string>& folders) {
    std::vector<std::string> list;
    list.reserve(folders.size());
    for (const auto& each : folders)
        list.push_back(fmt::format("str(FOLDER / {})", quoted_text(each)));
    return "[" + joined(list) + "]";
}

Fillings python_fillings(const Experiment& experiment, const ScalarLine& scalar) {
    Lines extents;
    if (!experiment.is_pipeline()) {
        extents.add(fmt::format("GRID = ({})", extents_text(experiment.launch().grid)));
        extents.add(fmt::format("BLOCK = ({})", extents_text(experiment.launch().block)));
        extents.add(fmt::format("SHARED = {}  # bytes of dynamic shared memory", experiment.session.launch.shared));
    }
    return {{"TITLE", title_of(experiment)},
            {"KERNELS", kernels_phrase(experiment, "")},
            {"EXTENTS", extents.text()},
            {"FORMULAS", uses_formulas(experiment) ? "import formulas\n" : ""},
            {"WARMUP", fmt::format("{}", std::max(0, experiment.session.warmup))},
            {"REPEAT", fmt::format("{}", std::max(1, experiment.session.repeat))},
            {"DEVICE", fmt::format("{}", experiment.device)},
            {"VALUES", lines_of(experiment.scalars(), scalar)},
            {"ARRAYS", lines_of(experiment.arrays(), python_array_line)},
            {"RESULTS", python_results(experiment)}};
}

Fillings cpp_fillings(const Experiment& experiment) {
    const auto scalar = [](const ExportedArgument& each) {
        const auto& type = each.argument().type;
        return cpp_scalar(type, each.data->scalar, each.identifier, std::max<std::size_t>(each.data->alignment, 1)) +
               scalar_note(type, "//");
    };
    return {{"TITLE", title_of(experiment)},
            {"KERNELS", kernels_phrase(experiment, "")},
            {"FORMULAS", uses_formulas(experiment) ? "#include \"formulas.hpp\"\n" : ""},
            {"NAME", quoted_text(experiment.kernel)},
            {"WARMUP", fmt::format("{}", std::max(0, experiment.session.warmup))},
            {"REPEAT", fmt::format("{}", std::max(1, experiment.session.repeat))},
            {"DEVICE", fmt::format("{}", experiment.device)},
            {"VALUES", lines_of(experiment.scalars(), scalar)},
            {"ARRAYS", lines_of(experiment.arrays(), cpp_array_line)},
            {"RESULTS", cpp_results(experiment)}};
}

std::string name_of_cache(const ExportedKernel& kernel) {
    std::string name = kernel.options.cache;
    for (char& letter : name)
        if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
    return name;
}

bool has_large_clusters(const Experiment& experiment, const ExportedKernel& kernel) {
    return std::ranges::any_of(experiment.launches, [&](const ExportedLaunch& launch) {
        std::uint64_t blocks = 1;
        for (const auto extent : launch.configuration().options.cluster)
            blocks *= extent;
        return launch.kernel == &kernel && blocks > 8;
    });
}

int priority_of(const Experiment& experiment) { return experiment.launches.front().configuration().options.priority; }

std::string project_name(const Experiment& experiment) { return "run_" + Identifiers().make(experiment.kernel); }

std::string cpp_address(const ExportedArgument& argument) {
    return argument.is_array() ? argument.identifier + ".bytes.data()" : "&" + argument.identifier;
}

std::string cpp_size(const ExportedArgument& argument) {
    return argument.is_array() ? argument.identifier + ".bytes.size()" : "sizeof " + argument.identifier;
}

} // namespace warplight::exporting
