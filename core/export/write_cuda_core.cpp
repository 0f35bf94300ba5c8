// SPDX-License-Identifier: Apache-2.0
#include "export/export_error.hpp"
#include "export/identifiers.hpp"
#include "export/program.hpp"
#include "export/program_parts.hpp"
#include "export/scalar_text.hpp"
#include "export/steps.hpp"
#include "export/texture_lines.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace warplight::exporting {
namespace {

/// A member of ProgramOptions that an option of NVRTC becomes.
struct OptionMember {
    std::string_view option; ///< without its dashes
    std::string_view member; ///< empty: it changes messages only
    enum class Value { none, boolean, number, text, list } value = Value::none;
};
using Value = OptionMember::Value;
constexpr OptionMember option_members[] = {
    {"D", "define_macro", Value::list},
    {"define-macro", "define_macro", Value::list},
    {"U", "undefine_macro", Value::list},
    {"undefine-macro", "undefine_macro", Value::list},
    {"std", "std", Value::text},
    {"maxrregcount", "max_register_count", Value::number},
    {"ftz", "ftz", Value::boolean},
    {"prec-sqrt", "prec_sqrt", Value::boolean},
    {"prec-div", "prec_div", Value::boolean},
    {"fmad", "fma", Value::boolean},
    {"use_fast_math", "use_fast_math", Value::none},
    {"G", "debug", Value::none},
    {"device-debug", "debug", Value::none},
    {"lineinfo", "lineinfo", Value::none},
    {"generate-line-info", "lineinfo", Value::none},
    {"extra-device-vectorization", "extra_device_vectorization", Value::none},
    {"default-device", "device_as_default_execution_space", Value::none},
    {"device-as-default-execution-space", "device_as_default_execution_space", Value::none},
    {"restrict", "restrict", Value::none},
    {"device-int128", "device_int128", Value::none},
    {"w", "disable_warnings", Value::none},
    {"disable-warnings", "disable_warnings", Value::none},
    {"diag-error", "", Value::number},
    {"diag-suppress", "", Value::number},
    {"diag-warn", "", Value::number},
};

/// The option's member and its value, which may be joined to it or be the next option.
std::optional<std::pair<OptionMember, std::string>> member_of(const std::vector<std::string>& options, std::size_t& i) {
    const std::string_view option = options[i];
    const auto name = option.substr(std::min(option.find_first_not_of('-'), option.size()));
    const auto equals = std::min(name.find('='), name.size());
    for (const auto& each : option_members) {
        if (name == each.option) {
            if (each.value == Value::none) return {{each, ""}};
            if (i + 1 < options.size()) return {{each, options[++i]}};
        } else if (name.substr(0, equals) == each.option && equals < name.size()) {
            return {{each, std::string(name.substr(equals + 1))}};
        }
    }
    for (const auto& each : option_members)
        if (each.option.size() == 1 && each.value == Value::list && name.starts_with(each.option))
            return {{each, std::string(name.substr(1))}};
    return std::nullopt;
}

/// Arguments of ProgramOptions; nothing where it has no such option, which `unknown` then names.
std::optional<std::string> members_of(const std::vector<std::string>& options, std::string& unknown) {
    std::vector<std::string> members, defined, undefined;
    for (std::size_t i = 0; i < options.size(); ++i) {
        const auto found = member_of(options, i);
        if (!found) {
            unknown = options[i];
            return std::nullopt;
        }
        const auto& [member, value] = *found;
        if (member.member.empty()) continue;
        if (member.value == Value::list)
            (member.member == "define_macro" ? defined : undefined).push_back(value);
        else if (member.value == Value::none)
            members.push_back(fmt::format("{}=True", member.member));
        else if (member.value == Value::boolean)
            members.push_back(fmt::format("{}={}", member.member, value == "true" ? "True" : "False"));
        else
            members.push_back(
                fmt::format("{}={}", member.member, member.value == Value::text ? quoted_text(value) : value));
    }
    if (!defined.empty()) members.push_back("define_macro=" + python_list(defined));
    if (!undefined.empty()) members.push_back("undefine_macro=" + python_list(undefined));
    return joined(members);
}

std::string why_ptx_in_cuda_core(const Experiment& experiment) {
    if (experiment.is_ptx) return {};
    if (experiment.session.compile.compiler == "nvcc")
        return "the session's compiler is nvcc, and that of cuda.core is NVRTC";
    if (experiment.has_local_names) return "names in the PTX depend on the file's path";
    if (experiment.session.compile.arch.starts_with("compute_"))
        return "cuda.core compiles for an architecture such as sm_80, and the session names " +
               experiment.session.compile.arch;
    std::string unknown;
    if (!members_of(compiler_options(experiment), unknown))
        return fmt::format("ProgramOptions of cuda.core has nothing for the option {}", unknown);
    return {};
}

/// Numbers as they are. Of others cuda.core knows no type, so a number of their size carries their bytes.
std::string cuda_core_scalar(const ExportedArgument& argument) {
    const auto& type = argument.argument().type;
    const auto& bytes = argument.data->scalar;
    const auto scalar = session::scalar_type(type);
    if (argument.is_variable() || (scalar && scalar->component == type)) return python_scalar_line(argument);
    struct Carrier {
        std::size_t size;
        const char* type;
    };
    constexpr Carrier carriers[] = {{1, "uint8"}, {2, "uint16"}, {4, "uint32"}, {8, "uint64"}, {16, "complex128"}};
    for (const auto& each : carriers) {
        if (bytes.size() > each.size) continue;
        const std::size_t rest = each.size - bytes.size();
        return fmt::format("{} = np.frombuffer({}.tobytes(){}, np.{})[0]{}: a number that carries its bytes",
                           argument.identifier, python_array(type, bytes),
                           rest ? fmt::format(" + bytes({})", rest) : "", each.type, scalar_note(type, "#"));
    }
    throw ExportError(
        fmt::format("The argument {} is a {}, and cuda.core passes no value of more than 16 bytes. Export "
                    "the session as pycuda, cupy, numba, cpp-driver or cpp-warplight.",
                    argument.argument().name, type));
}

/// What a kernel is told before its launches.
void add_attributes(const Experiment& experiment, const ExportedKernel& kernel, Lines& lines) {
    const auto set = [&](std::string_view attribute, const std::string& value) {
        lines.add("check(driver.cuKernelSetAttribute(");
        lines.add(fmt::format("    driver.CUfunction_attribute.CU_FUNC_ATTRIBUTE_{}, {}, {}.handle,", attribute, value,
                              kernel.identifier));
        lines.add("    device.device_id))");
    };
    if (kernel.large_shared) {
        lines.add("# More than 48 KiB of shared memory has to be asked for.");
        set("MAX_DYNAMIC_SHARED_SIZE_BYTES",
            experiment.is_pipeline() ? fmt::format("{}", kernel.shared) : std::string("SHARED"));
    }
    if (has_large_clusters(experiment, kernel)) {
        lines.add("# Not every device has clusters of more than 8 blocks.");
        set("NON_PORTABLE_CLUSTER_SIZE_ALLOWED", "1");
    }
    if (kernel.options.carveout) set("PREFERRED_SHARED_MEMORY_CARVEOUT", fmt::format("{}", *kernel.options.carveout));
    if (!kernel.options.cache.empty())
        lines.add(fmt::format("check(driver.cuKernelSetCacheConfig({}.handle, "
                              "driver.CUfunc_cache.CU_FUNC_CACHE_PREFER_{}, device.device_id))",
                              kernel.identifier, name_of_cache(kernel)));
}

/// Where there are clusters, cuda.core counts these in a grid.
std::string grid_and_cluster(const ExportedLaunch& launch, const std::string& grid) {
    std::vector<std::uint32_t> cluster = launch.configuration().options.cluster;
    if (cluster.empty()) return fmt::format("grid={}", grid);
    cluster.resize(3, 1);
    std::array<std::uint32_t, 3> clusters{};
    for (std::size_t i = 0; i < clusters.size(); ++i) {
        if (cluster[i] == 0 || launch.grid[i] % cluster[i] != 0)
            throw ExportError(fmt::format("{}A grid of {} blocks has no whole clusters of {}. Make each extent of the "
                                          "grid a multiple of the cluster's.",
                                          launch.step->path.empty() ? "" : session::phrase_of(*launch.step) + ": ",
                                          fmt::join(launch.grid, " x "), fmt::join(cluster, " x ")));
        clusters[i] = launch.grid[i] / cluster[i];
    }
    return fmt::format("grid=({}), cluster=({})", extents_text(clusters), fmt::join(cluster, ", "));
}

std::string cuda_core_module(const Experiment& experiment, bool compiles) {
    Lines lines;
    if (compiles) {
        std::string unknown;
        std::string options = *members_of(compiler_options(experiment), unknown);
        if (experiment.session.compile.arch != "auto")
            options += fmt::format(", arch={}", quoted_text(experiment.session.compile.arch));
        lines.add(fmt::format("source = (FOLDER / {}).read_text(encoding=\"utf-8\")",
                              quoted_text(experiment.sources.front().path)));
        lines.add(fmt::format("include_path = {} + cuda_include.folders()",
                              python_folders(include_folders(experiment, true))));
        lines.add(fmt::format("options = ProgramOptions({}, include_path=include_path)", options));
        std::vector<std::string> templates;
        for (const auto& each : experiment.kernels)
            if (each.is_template) templates.push_back(each.name);
        const auto names =
            templates.empty() ? std::string() : fmt::format(", name_expressions={}", python_list(templates));
        lines.add(fmt::format("module = Program(source, \"c++\", options).compile(\"ptx\"{})", names));
    } else {
        lines.add(fmt::format("module = ObjectCode.from_ptx(str(FOLDER / {}))", quoted_text(experiment.ptx_path)));
    }
    for (const auto& each : experiment.kernels) {
        lines.add(fmt::format("{} = module.get_kernel({})", each.identifier,
                              quoted_text(compiles && each.is_template ? each.name : each.lowered)));
        add_attributes(experiment, each, lines);
    }
    return lines.text();
}

std::string cuda_core_configs(const Experiment& experiment) {
    Lines lines;
    for (std::size_t i = 0; i < experiment.launches.size(); ++i) {
        const auto& launch = experiment.launches[i];
        const bool cooperative = launch.configuration().cooperative;
        if (experiment.is_pipeline())
            lines.add(fmt::format("{} = LaunchConfig({}, block=({}), shmem_size={}{})", experiment.config_names[i],
                                  grid_and_cluster(launch, fmt::format("({})", extents_text(launch.grid))),
                                  extents_text(launch.block), launch.configuration().shared,
                                  cooperative ? ", is_cooperative=True" : ""));
        else
            lines.add(fmt::format("launch_config = LaunchConfig({}, block=BLOCK, shmem_size=SHARED{})",
                                  grid_and_cluster(launch, "GRID"), cooperative ? ", is_cooperative=True" : ""));
    }
    return lines.text();
}

class CudaCoreWords final : public StepWords {
public:
    std::string argument(const LaunchArgument& argument) const override {
        const ExportedArgument& given = *argument.argument;
        if (is_texture(given)) return texture_member(argument);
        return given.is_array() ? device_name(given.identifier) : given.identifier;
    }
    std::string launch(const LaunchInProgram& launch) const override {
        return fmt::format("launch(stream, {}, {}{}{})\n", launch.config.empty() ? "launch_config" : launch.config,
                           launch.launch.kernel->identifier, launch.arguments.empty() ? "" : ", ",
                           list_of(launch.arguments));
    }
    std::string copy(const Place& from, const Place& to, std::uint64_t bytes) const override {
        return fmt::format("check(driver.cuMemcpyDtoDAsync({}, {}, {}, stream.handle))\n", at(to), at(from), bytes);
    }
    std::string fill(const FillInProgram& fill) const override {
        if (fill.is_of_halves())
            return fmt::format("check(driver.cuMemsetD2D32Async({0}, 8, {1:#x}, 1, {2}, stream.handle))\n"
                               "check(driver.cuMemsetD2D32Async({3}, 8, {4:#x}, 1, {2}, stream.handle))\n",
                               at(fill.to), fill.low(), fill.count, at(fill.to, 4), fill.high());
        const auto fitting = fill.fitting();
        return fmt::format("check(driver.cuMemsetD{}Async({}, {:#x}, {}, stream.handle))\n", fitting.bytes * 8,
                           at(fill.to), fitting.value, fitting.count);
    }
    std::string read_back(const ExportedArgument& argument) const override {
        if (is_texture(argument)) return read_texture(argument);
        return fmt::format("{0} = np.empty_like({1})\ncopy_to_host({0}, {2})\nstream.sync()\n",
                           result_name(argument.identifier), argument.identifier, at({&argument, 0}));
    }

private:
    static std::string at(const Place& place, std::uint64_t more = 0) {
        const auto name = memory_name(*place.argument);
        const auto address = place.argument->is_variable() ? name : name + ".handle";
        return place.offset + more ? fmt::format("int({}) + {}", address, place.offset + more) : address;
    }
};

constexpr GraphWords cuda_core_graph{
    .begin = "check(driver.cuStreamBeginCapture(\n"
             "    stream.handle, driver.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_THREAD_LOCAL))\n",
    .end = "(graph,) = check(driver.cuStreamEndCapture(stream.handle))\n"
           "(graph_exec,) = check(driver.cuGraphInstantiate(graph, 0))\n",
    .launch = "check(driver.cuGraphLaunch(graph_exec, stream.handle))\n"};

} // namespace

Program write_cuda_core(const Experiment& experiment) {
    Program program;
    program.why_ptx = why_ptx_in_cuda_core(experiment);
    const bool compiles = !experiment.is_ptx && program.why_ptx.empty();
    program.loading = compiles ? Loading::source : Loading::ptx;
    Lines allocations, uploads, downloads;
    for (const auto& each : experiment.arguments) {
        const std::string& name = each.identifier;
        const auto device = device_name(name);
        if (is_texture(each)) {
            const TextureLines texture = texture_lines(experiment, each, TextureWords::python,
                                                       fmt::format("device.allocate({}.nbytes, stream=stream)", name));
            allocations.add(texture.allocation);
            uploads.add(texture.upload);
            if (each.is_result()) downloads.add(texture.download);
            continue;
        }
        if (!each.is_variable() && !each.is_array()) continue;
        if (each.is_variable())
            allocations.add(fmt::format("{}, _ = check(driver.cuLibraryGetGlobal(module.handle, b{}))", device,
                                        quoted_text(each.data->lowered)));
        else
            allocations.add(
                is_empty(each)
                    ? fmt::format("{} = device.allocate(16, stream=stream)  # {} has no elements", device, name)
                    : fmt::format("{} = device.allocate({}.nbytes, stream=stream)", device, name));
        const auto address = each.is_variable() ? device : device + ".handle";
        if (!is_empty(each)) uploads.add(fmt::format("copy_to_device({}, {})", address, name));
        if (!each.is_result()) continue;
        downloads.add(fmt::format("{} = np.empty_like({})", result_name(name), name));
        if (!is_empty(each)) downloads.add(fmt::format("copy_to_host({}, {})", result_name(name), address));
    }
    const int priority = priority_of(experiment);
    const auto steps = steps_of(experiment, Language::python, CudaCoreWords(), cuda_core_graph);
    auto fillings = python_fillings(experiment, cuda_core_scalar);
    fillings.insert(
        fillings.end(),
        {{"CORE", fmt::format("Device, EventOptions, LaunchConfig, {}{}, launch",
                              compiles ? "Program, ProgramOptions" : "ObjectCode", priority ? ", StreamOptions" : "")},
         {"STREAM", priority ? fmt::format("options=StreamOptions(priority={})", priority) : ""},
         {"IMPORTS", compiles ? "import cuda_include\n" : ""},
         {"MODULE", cuda_core_module(experiment, compiles)},
         {"CTYPES", has_textures(experiment) ? "import ctypes\n" : ""},
         {"TEXTURE", texture_class(experiment, "cuda_core_texture.py.in")},
         {"CONFIGS", cuda_core_configs(experiment)},
         {"BEFORE", steps.before},
         {"AFTER", steps.after},
         {"ALLOCATIONS", allocations.text()},
         {"UPLOADS", uploads.text()},
         {"STEPS", steps.steps},
         {"DOWNLOADS", downloads.text()}});
    program.files.push_back({"run.py", fill(template_text("cuda_core.py.in"), fillings)});
    program.files.push_back({"results.py", std::string(template_text("results.py"))});
    if (compiles) program.files.push_back({"cuda_include.py", std::string(template_text("cuda_include.py"))});
    return program;
}

} // namespace warplight::exporting
