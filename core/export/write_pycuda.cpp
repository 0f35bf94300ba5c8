// SPDX-License-Identifier: Apache-2.0
#include "export/export_error.hpp"
#include "export/identifiers.hpp"
#include "export/program.hpp"
#include "export/program_parts.hpp"
#include "export/scalar_text.hpp"
#include "export/steps.hpp"
#include "export/texture_lines.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace warplight::exporting {
namespace {

/// PyCUDA takes numbers of NumPy but no halves and no bool. Bytes it takes as they are, without their alignment.
std::string pycuda_scalar(const ExportedArgument& argument) {
    const auto& type = argument.argument().type;
    const auto& bytes = argument.data->scalar;
    if (argument.is_variable()) return python_scalar_line(argument);
    std::string value = python_scalar(type, bytes);
    if (type == "f16") value += ".view(np.uint16)";
    if (type == "bool") value = fmt::format("np.uint8({})", static_cast<int>(bytes.front()));
    std::string note = scalar_note(type, "#");
    if ((value.starts_with("np.array") || type == session::struct_type) && argument.padding) {
        value = fmt::format("np.concatenate([np.zeros({}, np.uint8), {}.view(np.uint8)])", argument.padding, value);
        note += fmt::format(", behind {} bytes for its alignment", argument.padding);
    }
    return fmt::format("{} = {}{}", argument.identifier, value, note);
}

/// Options that NVRTC has alone.
bool is_for_nvrtc(std::string_view option) {
    constexpr std::array<std::string_view, 6> names = {"default-device",     "device-as-default-execution-space",
                                                       "builtin-",           "device-int128",
                                                       "modify-stack-limit", "no-source-include"};
    option.remove_prefix(std::min(option.find_first_not_of('-'), option.size()));
    return std::ranges::any_of(names, [&](std::string_view each) { return option.starts_with(each); });
}

std::string why_ptx(const Experiment& experiment) {
    if (experiment.is_ptx) return {};
    if (experiment.has_local_names) return "names in the PTX depend on the file's path";
    for (const auto& option : experiment.options)
        if (is_for_nvrtc(option)) return fmt::format("PyCUDA compiles with nvcc, which has no option {}", option);
    if (experiment.session.compile.arch.starts_with("compute_"))
        return "PyCUDA compiles for an architecture such as sm_80, and the session names " +
               experiment.session.compile.arch;
    return {};
}

std::string source_module(const Experiment& experiment) {
    Lines lines;
    lines.add(fmt::format("source = (FOLDER / {}).read_text(encoding=\"utf-8\")",
                          quoted_text(experiment.sources.front().path)));
    if (std::ranges::any_of(experiment.kernels, &ExportedKernel::is_template))
        lines.add("# nvcc makes an instance of a template only where the source asks for it.");
    for (const auto& each : experiment.kernels)
        if (each.is_template)
            lines.add(fmt::format("source += {}",
                                  quoted_text(fmt::format("\ntemplate __global__ decltype({0}) {0};\n", each.name))));
    std::string more;
    const auto& arch = experiment.session.compile.arch;
    if (arch != "auto") more += fmt::format(", arch={}", quoted_text(arch));
    if (const auto folders = include_folders(experiment, false); !folders.empty())
        more += fmt::format(", include_dirs={}", python_folders(folders));
    lines.add(fmt::format("module = SourceModule(source, options={}, no_extern_c=True{})",
                          python_list(compiler_options(experiment)), more));
    return lines.text();
}

/// Bytes, whose alignment PyCUDA does not know.
bool is_of_bytes_in_pycuda(const ExportedArgument& argument) {
    const auto& type = argument.argument().type;
    return type == session::struct_type || python_scalar(type, argument.data->scalar).starts_with("np.array");
}

std::string texture_import(const Experiment& experiment) {
    if (has_texture_references(experiment)) return "import textures\n";
    return has_textures(experiment) ? "from textures import Texture\n" : "";
}

class PycudaWords final : public StepWords {
public:
    std::string argument(const LaunchArgument& argument) const override {
        const ExportedArgument& given = *argument.argument;
        if (is_texture(given)) return texture_member(argument);
        if (given.is_array()) return device_name(given.identifier);
        if (argument.padding == 0 || given.padding != 0 || !is_of_bytes_in_pycuda(given)) return given.identifier;
        return fmt::format("np.concatenate([np.zeros({}, np.uint8), {}.view(np.uint8)])", argument.padding,
                           given.identifier);
    }
    std::string launch(const LaunchInProgram& launch) const override {
        const auto& kernel = launch.launch.kernel->identifier;
        std::string arguments = list_of(launch.arguments);
        if (!arguments.empty()) arguments += ", ";
        if (launch.config.empty())
            return fmt::format("{}({}grid=GRID, block=BLOCK, shared=SHARED)\n", kernel, arguments);
        return fmt::format("{}({}grid=({}), block=({}), shared={})\n", kernel, arguments,
                           extents_text(launch.launch.grid), extents_text(launch.launch.block),
                           launch.launch.configuration().shared);
    }
    std::string copy(const Place& from, const Place& to, std::uint64_t bytes) const override {
        return fmt::format("cuda.memcpy_dtod({}, {}, {})\n", at(to), at(from), bytes);
    }
    std::string fill(const FillInProgram& fill) const override {
        if (fill.is_of_halves())
            return fmt::format("cuda.memset_d2d32({0}, 8, {1:#x}, 1, {2})\n"
                               "cuda.memset_d2d32({3}, 8, {4:#x}, 1, {2})\n",
                               at(fill.to), fill.low(), fill.count, at(fill.to, 4), fill.high());
        const auto fitting = fill.fitting();
        return fmt::format("cuda.memset_d{}({}, {:#x}, {})\n", fitting.bytes * 8, at(fill.to), fitting.value,
                           fitting.count);
    }
    std::string read_back(const ExportedArgument& argument) const override {
        if (is_texture(argument)) return read_texture(argument);
        const auto result = result_name(argument.identifier);
        return fmt::format("{0} = np.empty_like({1})\ncuda.memcpy_dtoh({0}, {2})\n", result, argument.identifier,
                           device_name(argument.identifier));
    }

private:
    static std::string at(const Place& place, std::uint64_t more = 0) {
        const auto name = memory_name(*place.argument);
        return place.offset + more ? fmt::format("int({}) + {}", name, place.offset + more) : name;
    }
};

} // namespace

Program write_pycuda(const Experiment& experiment) {
    if (std::ranges::any_of(experiment.launches, [](const auto& each) { return each.configuration().cooperative; }))
        throw ExportError("The session launches its kernel cooperatively, which PyCUDA cannot. Export it as cuda-core, "
                          "cupy, numba, cpp-driver or cpp-warplight.");
    Program program;
    program.stand_ins = false; // nvcc has the host's headers
    program.why_ptx = why_ptx(experiment);
    const bool compiles = !experiment.is_ptx && program.why_ptx.empty();
    program.loading = compiles ? Loading::source : Loading::ptx;
    std::string module =
        compiles ? source_module(experiment)
                 : fmt::format("module = cuda.module_from_file(str(FOLDER / {}))\n", quoted_text(experiment.ptx_path));
    for (const auto& each : experiment.kernels) {
        module += fmt::format("{} = module.get_function({})\n", each.identifier, quoted_text(each.lowered));
        if (each.large_shared)
            module +=
                fmt::format("# More than 48 KiB of shared memory has to be asked for.\n"
                            "{}.set_attribute(cuda.function_attribute.MAX_DYNAMIC_SHARED_SIZE_BYTES, {})\n",
                            each.identifier, experiment.is_pipeline() ? fmt::format("{}", each.shared) : "SHARED");
        if (each.options.carveout)
            module += fmt::format("{}.set_attribute(cuda.function_attribute.PREFERRED_SHARED_MEMORY_CARVEOUT, {})\n",
                                  each.identifier, *each.options.carveout);
        if (!each.options.cache.empty())
            module +=
                fmt::format("{}.set_cache_config(cuda.func_cache.PREFER_{})\n", each.identifier, name_of_cache(each));
    }
    Lines allocations, uploads, downloads;
    for (const auto& each : experiment.arguments) {
        const std::string& name = each.identifier;
        const auto device = device_name(name);
        if (is_texture(each)) {
            const TextureLines texture =
                texture_lines(experiment, each, TextureWords::python, fmt::format("cuda.mem_alloc({}.nbytes)", name));
            allocations.add(texture.allocation);
            uploads.add(texture.upload);
            if (each.is_result()) downloads.add(texture.download);
            continue;
        }
        if (!each.is_variable() && !each.is_array()) continue;
        if (each.is_variable())
            allocations.add(fmt::format("{}, _ = module.get_global({})", device, quoted_text(each.data->lowered)));
        else
            allocations.add(is_empty(each) ? fmt::format("{} = cuda.mem_alloc(16)  # {} has no elements", device, name)
                                           : fmt::format("{} = cuda.mem_alloc({}.nbytes)", device, name));
        if (!is_empty(each)) uploads.add(fmt::format("cuda.memcpy_htod({}, {})", device, name));
        if (!each.is_result()) continue;
        downloads.add(fmt::format("{} = np.empty_like({})", result_name(name), name));
        if (!is_empty(each)) downloads.add(fmt::format("cuda.memcpy_dtoh({}, {})", result_name(name), device));
    }
    const auto steps = steps_of(experiment, Language::python, PycudaWords(), {.why_not = "PyCUDA has no graphs"});
    auto fillings = python_fillings(experiment, pycuda_scalar);
    fillings.insert(fillings.end(), {{"IMPORTS", compiles ? "from pycuda.compiler import SourceModule\n" : ""},
                                     {"TEXTURES", texture_import(experiment)},
                                     {"TEXTURE", texture_class(experiment, {}, "pycuda_reference.py.in")},
                                     {"MODULE", module},
                                     {"ALLOCATIONS", allocations.text()},
                                     {"UPLOADS", uploads.text()},
                                     {"STEPS", steps.steps},
                                     {"DOWNLOADS", downloads.text()}});
    program.files.push_back({"run.py", fill(template_text("pycuda.py.in"), fillings)});
    program.files.push_back({"results.py", std::string(template_text("results.py"))});
    if (has_textures(experiment)) program.files.push_back({"textures.py", std::string(template_text("textures.py"))});
    return program;
}

} // namespace warplight::exporting
