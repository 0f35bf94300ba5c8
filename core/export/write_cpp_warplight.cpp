// SPDX-License-Identifier: Apache-2.0
#include "export/identifiers.hpp"
#include "export/program.hpp"
#include "export/program_parts.hpp"
#include "export/scalar_text.hpp"
#include "export/texture_lines.hpp"

#include <fmt/format.h>

namespace warplight::exporting {
namespace {

std::string device_of(const Experiment& experiment) {
    const auto choice = session::parse_device(experiment.session.device);
    if (choice.driver == "auto") return "0"; // a GPU where there is one, else the software device
    return fmt::format("{}, Driver::{}()", choice.ordinal, choice.driver);
}

std::string enumerator_of(std::string cache) {
    for (char& letter : cache)
        if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
    return cache;
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
    const auto end = experiment.is_template
                         ? fmt::format(",\n     .name_expressions = {{{}}}", quoted_text(experiment.kernel))
                         : std::string();
    lines.add(fmt::format("     .name = source.filename().string(),\n     .folder = source.parent_path(){}}});", end));
    return lines.text();
}

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
    // A source that names no instance of its template has one that was found.
    const auto& kernel = !compiles || experiment.session.kernel.empty() ? experiment.lowered : experiment.kernel;
    lines += fmt::format("const Function kernel = module.get_function({});\n", quoted_text(kernel));
    if (experiment.large_shared)
        lines += fmt::format("// More than 48 KiB of shared memory has to be asked for.\n"
                             "kernel.set_attribute(function_attribute::MAX_DYNAMIC_SHARED_SIZE_BYTES, {});\n",
                             experiment.session.launch.shared);
    const auto& options = experiment.session.launch.options;
    std::uint64_t cluster_blocks = 1;
    for (const auto extent : options.cluster)
        cluster_blocks *= extent;
    if (cluster_blocks > 8)
        lines += "// Not every device has clusters of more than 8 blocks.\n"
                 "kernel.set_attribute(function_attribute::NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1);\n";
    if (options.carveout)
        lines += fmt::format("kernel.set_attribute(function_attribute::PREFERRED_SHARED_MEMORY_CARVEOUT, {});\n",
                             *options.carveout);
    if (!options.cache.empty())
        lines += fmt::format("kernel.set_cache_config(func_cache::PREFER_{});\n", enumerator_of(options.cache));
    Lines allocations, uploads, downloads;
    std::string arguments;
    for (const auto& each : experiment.arguments) {
        const std::string& name = each.identifier;
        const auto device = device_name(name);
        if (is_texture(each)) {
            const TextureLines texture = warplight_texture(each);
            arguments += ", " + texture.argument;
            allocations.add(texture.allocation.text());
            uploads.add(texture.upload);
            if (each.is_result()) downloads.add(fmt::format("Array {} = {};", result_name(name), name));
            if (each.is_result()) downloads.add(texture.download);
            continue;
        }
        if (!each.is_variable()) arguments += ", " + (each.is_array() ? device : name);
        if (!each.is_variable() && !each.is_array()) continue;
        if (each.is_variable())
            allocations.add(fmt::format("const DevicePointer {} = module.get_global({}).pointer;", device,
                                        quoted_text(each.data->lowered)));
        else
            allocations.add(fmt::format("const DeviceAllocation {} = mem_alloc({});{}", device,
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
    Lines config;
    config.add(fmt::format(".grid = {{{}}},", fmt::join(experiment.grid, ", ")));
    config.add(fmt::format(".block = {{{}}},", fmt::join(experiment.block, ", ")));
    if (experiment.session.launch.shared) config.add(fmt::format(".shared = {},", experiment.session.launch.shared));
    config.add(".stream = &stream,");
    if (experiment.session.launch.cooperative) config.add(".cooperative = true,");
    if (!options.cluster.empty()) config.add(fmt::format(".cluster = {{{}}},", fmt::join(options.cluster, ", ")));
    auto fillings = cpp_fillings(experiment);
    std::erase_if(fillings, [](const auto& each) { return each.first == "DEVICE"; });
    fillings.insert(
        fillings.end(),
        {{"DEVICE", device_of(experiment)},
         {"TEXTURE_INCLUDES", has_textures(experiment) ? "#include <warplight/structured_copy.hpp>\n"
                                                         "#include <warplight/texture.hpp>\n"
                                                       : ""},
         {"TEXTURE", has_textures(experiment) ? std::string(template_text("warplight_texture.cpp.in")) : ""},
         {"MODULE", lines},
         {"ALLOCATIONS", allocations.text()},
         {"CONFIG", config.text()},
         {"STREAM", options.priority ? fmt::format("(0, {})", options.priority) : ""},
         {"UPLOADS", uploads.text()},
         {"ARGUMENTS", arguments},
         {"DOWNLOADS", downloads.text()}});
    program.files.push_back({"main.cpp", fill(template_text("warplight.cpp.in"), fillings)});
    program.files.push_back({"results.hpp", std::string(template_text("results.hpp"))});
    program.files.push_back(
        {"CMakeLists.txt", fill(template_text("warplight_cmake.txt.in"),
                                {{"TITLE", title_of(experiment)}, {"PROJECT", project_name(experiment)}})});
    return program;
}

} // namespace warplight::exporting
