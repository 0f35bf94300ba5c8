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

std::string why_ptx_in_cpp(const Experiment& experiment) {
    if (experiment.is_ptx) return {};
    if (experiment.session.compile.compiler == "nvcc")
        return "the session's compiler is nvcc, and the program's is NVRTC";
    if (experiment.has_local_names) return "names in the PTX depend on the file's path";
    return {};
}

std::string compile_function(const Experiment& experiment) {
    const auto& arch = experiment.session.compile.arch;
    const bool of_device = arch == "auto";
    std::string parameters = of_device ? ", CUdevice device" : "";
    Lines expressions, lowered;
    for (const auto& each : experiment.kernels) {
        if (!each.is_template) continue;
        const std::string name = experiment.is_pipeline() ? each.name_variable() : "kernel";
        const auto expression = quoted_text(each.name);
        parameters += fmt::format(", std::string& {}", name);
        expressions.add(fmt::format("check(nvrtcAddNameExpression(program, {}));", expression));
        if (lowered.text().empty()) lowered.add("const char* lowered = nullptr;");
        lowered.add(fmt::format("check(nvrtcGetLoweredName(program, {}, &lowered));", expression));
        lowered.add(fmt::format("{} = lowered;", name));
    }
    std::vector<std::string> options;
    for (const auto& each : compiler_options(experiment))
        options.push_back(quoted_text(each));
    Lines folders;
    for (const auto& each : include_folders(experiment, true))
        folders.add(fmt::format("options.push_back(\"-I\" + (folder / {}).string());", quoted_text(each)));
    const auto templates = std::ranges::count_if(experiment.kernels, &ExportedKernel::is_template);
    std::string about;
    if (templates) about = " `kernel` becomes the instance's name there.";
    if (templates && experiment.is_pipeline()) about = " The texts become the instances' names there.";
    const std::string& source = experiment.sources.front().path;
    return fill(template_text("driver_nvrtc.cpp.in"),
                {{"ARCH_FUNCTION", of_device ? std::string(template_text("driver_arch.cpp.in")) + "\n" : ""},
                 {"ABOUT", about},
                 {"PARAMETERS", parameters},
                 {"SOURCE", quoted_text(source)},
                 {"ARCH", of_device ? "+ newest_arch(device)" : quoted_text(arch)},
                 {"OPTIONS", joined(options)},
                 {"FOLDERS", folders.text()},
                 {"FILE", quoted_text(source.substr(source.rfind('/') + 1))},
                 {"EXPRESSION", expressions.text()},
                 {"LOWERED", lowered.text()}});
}

/// What a kernel is told before its launches.
void add_kernel_options(const Experiment& experiment, const ExportedKernel& kernel, Lines& lines) {
    const auto set = [&](std::string_view attribute, auto value) {
        lines.add(fmt::format("check(cuFuncSetAttribute({}, CU_FUNC_ATTRIBUTE_{}, {}));", kernel.identifier, attribute,
                              value));
    };
    if (kernel.large_shared) {
        lines.add("// More than 48 KiB of shared memory has to be asked for.");
        set("MAX_DYNAMIC_SHARED_SIZE_BYTES", kernel.shared);
    }
    if (has_large_clusters(experiment, kernel)) {
        lines.add("// Not every device has clusters of more than 8 blocks.");
        set("NON_PORTABLE_CLUSTER_SIZE_ALLOWED", 1);
    }
    if (kernel.options.carveout) set("PREFERRED_SHARED_MEMORY_CARVEOUT", *kernel.options.carveout);
    if (!kernel.options.cache.empty())
        lines.add(fmt::format("check(cuFuncSetCacheConfig({}, CU_FUNC_CACHE_PREFER_{}));", kernel.identifier,
                              name_of_cache(kernel)));
}

std::string module_lines(const Experiment& experiment, bool compiles) {
    Lines lines;
    std::string names;
    for (const auto& each : experiment.kernels) {
        const bool named_later = compiles && each.is_template;
        const auto name = each.name_variable();
        lines.add(named_later
                      ? fmt::format("std::string {};", name)
                      : fmt::format("const std::string {} = {}; // in the PTX", name, quoted_text(each.lowered)));
        if (named_later) names += ", " + name;
    }
    lines.add(compiles
                  ? fmt::format("const std::string ptx = compile(folder{}{});",
                                experiment.session.compile.arch == "auto" ? ", device" : "", names)
                  : fmt::format("const std::string ptx = read_text(folder / {});", quoted_text(experiment.ptx_path)));
    lines.add("CUmodule module = nullptr;");
    lines.add("check(cuModuleLoadData(&module, ptx.c_str()));");
    for (const auto& each : experiment.kernels) {
        lines.add(fmt::format("CUfunction {} = nullptr;", each.identifier));
        lines.add(
            fmt::format("check(cuModuleGetFunction(&{}, module, {}.c_str()));", each.identifier, each.name_variable()));
        add_kernel_options(experiment, each, lines);
    }
    return lines.text();
}

/// A launch in clusters, in the same block as its arguments.
std::string cluster_launch(const LaunchInProgram& launch, std::string_view stream) {
    const auto& configuration = launch.launch.configuration();
    std::vector<std::uint32_t> cluster = configuration.options.cluster;
    cluster.resize(3, 1);
    Lines lines;
    lines.add(configuration.cooperative ? "CUlaunchAttribute attributes[2] = {};"
                                        : "CUlaunchAttribute attributes[1] = {};");
    lines.add("attributes[0].id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;");
    lines.add(fmt::format("attributes[0].value.clusterDim = {{{}}};", fmt::join(cluster, ", ")));
    if (configuration.cooperative) {
        lines.add("attributes[1].id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;");
        lines.add("attributes[1].value.cooperative = 1;");
    }
    lines.add(fmt::format("const CUlaunchConfig config{{{}, {}, {}, {}, attributes, {}}};",
                          extents_text(launch.launch.grid), extents_text(launch.launch.block), configuration.shared,
                          stream, configuration.cooperative ? 2 : 1));
    lines.add(
        fmt::format("check(cuLaunchKernelEx(&config, {}, arguments, nullptr));", launch.launch.kernel->identifier));
    return lines.text();
}

std::string in_brackets(std::string_view lines) {
    Lines text;
    text.add("{");
    while (!lines.empty()) {
        text.add(fmt::format("    {}", lines.substr(0, lines.find('\n'))));
        lines.remove_prefix(std::min(lines.find('\n'), lines.size() - 1) + 1);
    }
    text.add("}");
    return text.text();
}

class DriverWords final : public StepWords {
public:
    /// @param stream of all launches
    explicit DriverWords(std::string_view stream) : stream_(stream) {}

    std::string argument(const LaunchArgument& argument) const override {
        const ExportedArgument& given = *argument.argument;
        if (is_texture(given)) return "&" + texture_member(argument);
        return "&" + (given.is_array() ? device_name(given.identifier) : given.identifier);
    }
    std::string launch(const LaunchInProgram& launch) const override {
        const auto& configuration = launch.launch.configuration();
        const bool clusters = !configuration.options.cluster.empty();
        const std::string call =
            clusters ? cluster_launch(launch, stream_)
                     : fmt::format("check({}({}, {}, {}, {}, {}, arguments{}));\n",
                                   configuration.cooperative ? "cuLaunchCooperativeKernel" : "cuLaunchKernel",
                                   launch.launch.kernel->identifier, extents_text(launch.launch.grid),
                                   extents_text(launch.launch.block), configuration.shared, stream_,
                                   configuration.cooperative ? "" : ", nullptr");
        if (launch.config.empty()) return clusters ? in_brackets(call) : call;
        std::string list, computed;
        std::size_t count = 0;
        for (const auto& each : launch.arguments) {
            if (each.is_computed) computed += (computed.empty() ? "" : ", ") + each.text;
            list += (list.empty() ? "" : ", ") +
                    (each.is_computed ? fmt::format("&std::get<{}>(computed)", count++) : each.text);
        }
        if (list.empty()) list = "nullptr";
        std::string text;
        if (count) text += fmt::format("auto computed = std::tuple({});\n", computed);
        return in_brackets(text + fmt::format("void* arguments[] = {{{}}};\n{}", list, call));
    }
    std::string copy(const Place& from, const Place& to, std::uint64_t bytes) const override {
        return fmt::format("check(cuMemcpyDtoDAsync({}, {}, {}, stream));\n", at(to), at(from), bytes);
    }
    std::string fill(const FillInProgram& fill) const override {
        if (fill.is_of_halves())
            return fmt::format("check(cuMemsetD2D32Async({0}, 8, {1:#x}, 1, {2}, stream));\n"
                               "check(cuMemsetD2D32Async({3}, 8, {4:#x}, 1, {2}, stream));\n",
                               at(fill.to), fill.low(), fill.count, at(fill.to, 4), fill.high());
        const auto fitting = fill.fitting();
        return fmt::format("check(cuMemsetD{}Async({}, {:#x}, {}, stream));\n", fitting.bytes * 8, at(fill.to),
                           fitting.value, fitting.count);
    }
    std::string read_back(const ExportedArgument& argument) const override {
        if (is_texture(argument))
            return fmt::format("Array {0} = {1};\n{2}.download({0}); // when the steps are done\n",
                               result_name(argument.identifier), argument.identifier, device_name(argument.identifier));
        return fmt::format("Array {0} = {1};\n"
                           "check(cuMemcpyDtoH({0}.bytes.data(), {2}, {0}.bytes.size())); // when the steps are done\n",
                           result_name(argument.identifier), argument.identifier, device_name(argument.identifier));
    }

private:
    static std::string at(const Place& place, std::uint64_t more = 0) {
        const auto name = memory_name(*place.argument);
        return place.offset + more ? fmt::format("{} + {}", name, place.offset + more) : name;
    }

    std::string_view stream_;
};

/// Makes the stream of a pipeline, or of a launch with a priority.
std::string stream_lines(int priority) {
    return "CUstream stream = nullptr;\n" +
           (priority ? fmt::format("check(cuStreamCreateWithPriority(&stream, CU_STREAM_DEFAULT, {}));\n", priority)
                     : std::string("check(cuStreamCreate(&stream, CU_STREAM_DEFAULT));\n"));
}

constexpr std::string_view deprecated_functions = "#define CUDA_ENABLE_DEPRECATED // those of texture references\n";

constexpr GraphWords driver_graph{.begin =
                                      "check(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));\n",
                                  .end = "CUgraph graph = nullptr;\n"
                                         "check(cuStreamEndCapture(stream, &graph));\n"
                                         "CUgraphExec graph_exec = nullptr;\n"
                                         "check(cuGraphInstantiateWithFlags(&graph_exec, graph, 0));\n",
                                  .launch = "check(cuGraphLaunch(graph_exec, stream));\n"};

} // namespace

Program write_cpp_driver(const Experiment& experiment) {
    Program program;
    program.why_ptx = why_ptx_in_cpp(experiment);
    const bool compiles = !experiment.is_ptx && program.why_ptx.empty();
    program.loading = compiles ? Loading::source : Loading::ptx;
    const bool is_pipeline = experiment.is_pipeline();
    const bool has_stream = is_pipeline || priority_of(experiment) != 0;
    const std::string stream = has_stream ? "stream" : "nullptr";
    const DriverWords words(stream);
    Lines allocations, uploads, downloads, frees;
    std::vector<std::string> arguments;
    if (!is_pipeline)
        for (const auto& each : experiment.launch().arguments)
            arguments.push_back(words.argument(each));
    for (const auto& each : experiment.arguments) {
        const std::string& name = each.identifier;
        const auto device = device_name(name);
        if (is_texture(each)) {
            const TextureLines lines = texture_lines(experiment, each, TextureWords::driver);
            allocations.add(lines.allocation);
            uploads.add(lines.upload);
            if (each.is_result()) downloads.add(lines.download);
            frees.add(device + ".free();");
            continue;
        }
        if (!each.is_variable() && !each.is_array()) continue;
        allocations.add(fmt::format("CUdeviceptr {} = 0;", device));
        if (each.is_variable()) {
            allocations.add(fmt::format("check(cuModuleGetGlobal(&{}, nullptr, module, {}));", device,
                                        quoted_text(each.data->lowered)));
        } else {
            allocations.add(fmt::format("check(cuMemAlloc(&{}, {}));{}", device, is_empty(each) ? "16" : cpp_size(each),
                                        is_empty(each) ? " // it has no elements" : ""));
            frees.add(fmt::format("check(cuMemFree({}));", device));
        }
        if (!is_empty(each))
            uploads.add(fmt::format("check(cuMemcpyHtoD({}, {}, {}));", device, cpp_address(each), cpp_size(each)));
        if (!each.is_result()) continue;
        const auto result = result_name(name);
        downloads.add(fmt::format("Array {} = {};", result, name));
        if (!is_empty(each))
            downloads.add(fmt::format("check(cuMemcpyDtoH({0}.bytes.data(), {1}, {0}.bytes.size()));", result, device));
    }
    if (arguments.empty()) arguments.emplace_back("nullptr");
    const auto steps = steps_of(experiment, Language::cpp, words, driver_graph);
    if (steps.captured) {
        frees.add("check(cuGraphExecDestroy(graph_exec));");
        frees.add("check(cuGraphDestroy(graph));");
    }
    if (has_stream) frees.add("check(cuStreamDestroy(stream));");
    auto fillings = cpp_fillings(experiment);
    fillings.insert(
        fillings.end(),
        {{"DEPRECATED", std::string(has_texture_references(experiment) ? deprecated_functions : "")},
         {"INCLUDES", compiles ? "#include <nvrtc.h>\n" : ""},
         {"TEXTURE_INCLUDES",
          has_textures(experiment) ? "#include <algorithm>\n#include <array>\n#include <bit>\n" : ""},
         {"TEXTURE", texture_class(experiment, "driver_texture.cpp.in", "driver_reference.cpp.in")},
         {"COMPILE", compiles ? compile_function(experiment) : ""},
         {"MODULE", module_lines(experiment, compiles)},
         {"ALLOCATIONS", allocations.text()},
         {"ARGUMENTS", (has_stream ? stream_lines(priority_of(experiment)) : "") +
                           (is_pipeline ? "" : fmt::format("void* arguments[] = {{{}}};\n", joined(arguments)))},
         {"STREAM", stream},
         {"BEFORE", steps.before},
         {"AFTER", steps.after},
         {"UPLOADS", uploads.text()},
         {"STEPS", steps.steps},
         {"DOWNLOADS", downloads.text()},
         {"FREES", frees.text()}});
    program.files.push_back({"main.cpp", fill(template_text("driver.cpp.in"), fillings)});
    program.files.push_back({"results.hpp", std::string(template_text("results.hpp"))});
    program.files.push_back(
        {"CMakeLists.txt",
         fill(template_text("driver_cmake.txt.in"),
              {{"TITLE", title_of(experiment)},
               {"PROJECT", project_name(experiment)},
               {"NVRTC", compiles
                             ? "find_library(NVRTC_LIBRARY NAMES nvrtc HINTS ${roots} PATH_SUFFIXES lib64 lib lib/x64 "
                               "REQUIRED)\n"
                             : ""},
               {"NVRTC_LIBRARY", compiles ? " ${NVRTC_LIBRARY}" : ""}})});
    return program;
}

} // namespace warplight::exporting
