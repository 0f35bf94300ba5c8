// SPDX-License-Identifier: Apache-2.0
#include "export/identifiers.hpp"
#include "export/program.hpp"
#include "export/program_parts.hpp"
#include "export/scalar_text.hpp"
#include "export/steps.hpp"
#include "export/texture_lines.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace warplight::exporting {
namespace {

std::string device_of(const Experiment& experiment) {
    const auto choice = session::parse_device(experiment.session.device);
    if (choice.driver == "auto") return "0"; // a GPU where there is one, else the software device
    return fmt::format("{}, Driver::{}()", choice.ordinal, choice.driver);
}

std::string source_module_lines(const Experiment& experiment) {
    const auto& compile = experiment.session.compile;
    const std::string& source = experiment.sources.front().path;
    std::vector<std::string> options;
    for (const auto& each : compiler_options(experiment))
        options.push_back(quoted_text(each));
    Lines lines;
    lines.add(fmt::format("const std::filesystem::path source = folder / {};", quoted_text(source)));
    lines.add("const warplight::compiler::SourceModule module(");
    lines.add("    warplight::read_text_file(source),");
    lines.add(fmt::format("    {{.options = {{{}}},", joined(options)));
    lines.add("     .no_extern_c = true,");
    if (compile.arch != "auto") lines.add(fmt::format("     .arch = {},", quoted_text(compile.arch)));
    if (const auto folders = include_folders(experiment, false); !folders.empty()) {
        std::vector<std::string> list;
        list.reserve(folders.size());
        for (const auto& each : folders)
            list.push_back("folder / " + quoted_text(each));
        lines.add(fmt::format("     .include_dirs = {{{}}},", joined(list)));
    }
    if (compile.compiler == "nvcc") lines.add("     .backend = warplight::compiler::Backend::nvcc,");
    std::vector<std::string> templates;
    for (const auto& each : experiment.kernels)
        if (each.is_template) templates.push_back(quoted_text(each.name));
    const auto end =
        templates.empty() ? std::string() : fmt::format(",\n     .name_expressions = {{{}}}", joined(templates));
    lines.add(fmt::format("     .name = source.filename().string(),\n     .folder = source.parent_path(){}}});", end));
    return lines.text();
}

std::string function_lines(const Experiment& experiment, bool compiles) {
    Lines lines;
    for (const auto& each : experiment.kernels) {
        const auto& kernel = each.identifier;
        // A source that names no instance of its template has one that was found.
        lines.add(fmt::format("const Function {} = module.get_function({});", kernel,
                              quoted_text(compiles && each.is_named ? each.name : each.lowered)));
        if (each.large_shared) {
            lines.add("// More than 48 KiB of shared memory has to be asked for.");
            lines.add(fmt::format("{}.set_attribute(function_attribute::MAX_DYNAMIC_SHARED_SIZE_BYTES, {});", kernel,
                                  each.shared));
        }
        if (has_large_clusters(experiment, each)) {
            lines.add("// Not every device has clusters of more than 8 blocks.");
            lines.add(
                fmt::format("{}.set_attribute(function_attribute::NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1);", kernel));
        }
        if (each.options.carveout)
            lines.add(fmt::format("{}.set_attribute(function_attribute::PREFERRED_SHARED_MEMORY_CARVEOUT, {});", kernel,
                                  *each.options.carveout));
        if (!each.options.cache.empty())
            lines.add(fmt::format("{}.set_cache_config(func_cache::PREFER_{});", kernel, name_of_cache(each)));
    }
    return lines.text();
}

std::string config_lines(const Experiment& experiment) {
    Lines lines;
    for (std::size_t i = 0; i < experiment.launches.size(); ++i) {
        const auto& launch = experiment.launches[i];
        const auto& configuration = launch.configuration();
        lines.add(
            fmt::format("const LaunchConfig {}{{", experiment.is_pipeline() ? experiment.config_names[i] : "config"));
        lines.add(fmt::format("    .grid = {{{}}},", extents_text(launch.grid)));
        lines.add(fmt::format("    .block = {{{}}},", extents_text(launch.block)));
        if (configuration.shared) lines.add(fmt::format("    .shared = {},", configuration.shared));
        lines.add("    .stream = &stream,");
        if (configuration.cooperative) lines.add("    .cooperative = true,");
        if (const auto& cluster = configuration.options.cluster; !cluster.empty())
            lines.add(fmt::format("    .cluster = {{{}}},", fmt::join(cluster, ", ")));
        lines.add("};");
    }
    return lines.text();
}

class LibraryWords final : public StepWords {
public:
    std::string argument(const LaunchArgument& argument) const override {
        const ExportedArgument& given = *argument.argument;
        if (is_texture(given)) return (argument.as == session::GivenAs::address ? "" : "*") + texture_member(argument);
        return given.is_array() ? device_name(given.identifier) : given.identifier;
    }
    std::string launch(const LaunchInProgram& launch) const override {
        return fmt::format("{}({}{}{});\n", launch.launch.kernel->identifier,
                           launch.config.empty() ? "config" : launch.config, launch.arguments.empty() ? "" : ", ",
                           list_of(launch.arguments));
    }
    std::string copy(const Place& from, const Place& to, std::uint64_t bytes) const override {
        return fmt::format("memcpy_dtod_async({}, {}, {}, &stream);\n", at(to), at(from), bytes);
    }
    std::string fill(const FillInProgram& fill) const override {
        if (fill.is_of_halves())
            return fmt::format("memset_d2d32_async({0}, 8, {1:#x}, 1, {2}, &stream);\n"
                               "memset_d2d32_async({3}, 8, {4:#x}, 1, {2}, &stream);\n",
                               at(fill.to), fill.low(), fill.count, at(fill.to, 4), fill.high());
        const auto fitting = fill.fitting();
        return fmt::format("memset_d{}_async({}, {:#x}, {}, &stream);\n", fitting.bytes * 8, at(fill.to), fitting.value,
                           fitting.count);
    }
    std::string read_back(const ExportedArgument& argument) const override {
        if (is_texture(argument))
            return fmt::format("Array {0} = {1};\nstream.synchronize();\n{2}.download({0});\n",
                               result_name(argument.identifier), argument.identifier, device_name(argument.identifier));
        return fmt::format("Array {0} = {1};\nstream.synchronize();\nmemcpy_dtoh({0}.bytes, {2});\n",
                           result_name(argument.identifier), argument.identifier, device_name(argument.identifier));
    }

private:
    static std::string at(const Place& place, std::uint64_t more = 0) {
        const auto name = memory_name(*place.argument);
        return place.offset + more ? fmt::format("{} + {}", name, place.offset + more) : name;
    }
};

constexpr GraphWords library_graph{.begin = "const Graph graph = capture(stream, [&] {\n",
                                   .end = "});\nconst GraphExec graph_exec = graph.instantiate();\n",
                                   .launch = "graph_exec.launch(stream);\n",
                                   .is_block = true};

} // namespace

Program write_cpp_warplight(const Experiment& experiment) {
    Program program;
    if (!experiment.is_ptx && experiment.has_local_names)
        program.why_ptx = "names in the PTX depend on the file's path";
    const bool compiles = !experiment.is_ptx && program.why_ptx.empty();
    program.loading = compiles ? Loading::source : Loading::ptx;
    program.stand_ins = false; // the library has them
    Lines module;
    if (!compiles)
        module.add(
            fmt::format("const Module module = module_from_file(folder / {});", quoted_text(experiment.ptx_path)));
    std::string lines = !compiles ? module.text() : source_module_lines(experiment);
    lines += function_lines(experiment, compiles);
    const LibraryWords words;
    const auto steps = steps_of(experiment, Language::cpp, words, library_graph);
    // Swaps exchange allocations.
    const std::string_view constant = experiment.is_pipeline() ? "" : "const ";
    Lines allocations, uploads, downloads;
    for (const auto& each : experiment.arguments) {
        const std::string& name = each.identifier;
        const auto device = device_name(name);
        if (is_texture(each)) {
            const TextureLines texture = texture_lines(experiment, each, TextureWords::warplight);
            allocations.add(texture.allocation);
            uploads.add(texture.upload);
            if (each.is_result()) downloads.add(texture.download);
            continue;
        }
        if (!each.is_variable() && !each.is_array()) continue;
        if (each.is_variable())
            allocations.add(fmt::format("const DevicePointer {} = module.get_global({}).pointer;", device,
                                        quoted_text(each.data->lowered)));
        else
            allocations.add(fmt::format("{}DeviceAllocation {} = mem_alloc({});{}", constant, device,
                                        is_empty(each) ? "16" : cpp_size(each),
                                        is_empty(each) ? " // it has no elements" : ""));
        if (!is_empty(each))
            uploads.add(fmt::format("memcpy_htod({}, {});", device,
                                    each.is_array() ? name + ".bytes"
                                                    : fmt::format("warplight::ConstBuffer(&{0}, sizeof {0})", name)));
        if (!each.is_result()) continue;
        downloads.add(fmt::format("Array {} = {};", result_name(name), name));
        if (!is_empty(each)) downloads.add(fmt::format("memcpy_dtoh({}.bytes, {});", result_name(name), device));
    }
    const int priority = priority_of(experiment);
    auto fillings = cpp_fillings(experiment);
    std::erase_if(fillings, [](const auto& each) { return each.first == "DEVICE"; });
    fillings.insert(fillings.end(),
                    {{"DEVICE", device_of(experiment)},
                     {"MODULE", lines},
                     {"ALLOCATIONS", allocations.text()},
                     {"CONFIGS", config_lines(experiment)},
                     {"ARRAYS_AND_BITS", has_textures(experiment) ? "#include <array>\n#include <bit>\n" : ""},
                     {"TEXTURE_INCLUDES", has_textures(experiment) ? "#include <warplight/array.hpp>\n"
                                                                     "#include <warplight/structured_copy.hpp>\n"
                                                                     "#include <warplight/texture.hpp>\n"
                                                                   : ""},
                     {"TEXTURE", texture_class(experiment, "warplight_texture.cpp.in", "warplight_reference.cpp.in")},
                     {"INCLUDES", steps.captured ? "#include <warplight/graph.hpp>\n" : ""},
                     {"STREAM", priority ? fmt::format("(0, {})", priority) : ""},
                     {"BEFORE", steps.before},
                     {"AFTER", steps.after},
                     {"STEPS", steps.steps},
                     {"UPLOADS", uploads.text()},
                     {"DOWNLOADS", downloads.text()}});
    program.files.push_back({"main.cpp", fill(template_text("warplight.cpp.in"), fillings)});
    program.files.push_back({"results.hpp", std::string(template_text("results.hpp"))});
    program.files.push_back(
        {"CMakeLists.txt", fill(template_text("warplight_cmake.txt.in"),
                                {{"TITLE", title_of(experiment)}, {"PROJECT", project_name(experiment)}})});
    return program;
}

} // namespace warplight::exporting
