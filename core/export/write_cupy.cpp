// SPDX-License-Identifier: Apache-2.0
#include "export/export_error.hpp"
#include "export/identifiers.hpp"
#include "export/program.hpp"
#include "export/program_parts.hpp"
#include "export/scalar_text.hpp"
#include "export/steps.hpp"
#include "export/texture_lines.hpp"
#include "session/textures.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace warplight::exporting {
namespace {

std::string why_ptx_in_cupy(const Experiment& experiment) {
    if (experiment.is_ptx) return {};
    if (experiment.session.compile.compiler == "nvcc") return "the session's compiler is nvcc, and CuPy's is NVRTC";
    if (experiment.has_local_names) return "names in the PTX depend on the file's path";
    if (experiment.session.compile.arch != "auto")
        return fmt::format("CuPy compiles for the device, and the session names {}", experiment.session.compile.arch);
    return {};
}

/// CuPy has arrays of numbers alone.
bool is_of_bytes(const ExportedArgument& argument) {
    return argument.is_array() && !argument.data->input.dtype().is_numeric();
}

/// CuPy takes numbers of NumPy, and arrays of one structure, whose bytes the kernel gets.
std::string cupy_scalar(const ExportedArgument& argument) {
    const auto& type = argument.argument().type;
    if (type == session::struct_type && !argument.is_variable())
        return fmt::format("{} = {}.view([(\"bytes\", \"u1\", {})]){}", argument.identifier,
                           python_array(type, argument.data->scalar), argument.data->scalar.size(),
                           scalar_note(type, "#"));
    if (argument.is_variable()) return python_scalar_line(argument);
    const auto scalar = *session::scalar_type(type);
    if (scalar.component == type) return python_scalar_line(argument);
    const std::string field = scalar.component == "bf16"
                                  ? "u2"
                                  : DType::from_name(session::dtype_of_type(scalar.component)).typestr().substr(1);
    const std::vector<std::string> fields(static_cast<std::size_t>(scalar.components), field);
    // One field makes no structure without its comma.
    return fmt::format("{} = {}.view(\"{}{}\"){}", argument.identifier, python_array(type, argument.data->scalar),
                       joined(fields), fields.size() == 1 ? "," : "", scalar_note(type, "#"));
}

/// CuPy's own textures are arrays of one to three dimensions and linear memory.
bool is_no_texture_of_cupy(const ExportedArgument& argument) {
    if (!is_texture(argument)) return false;
    using enum session::TextureKind;
    const auto kind = session::kind_of_texture(argument.argument());
    if (argument.is_variable() || (kind != d1 && kind != d2 && kind != d3)) return true;
    const auto& setup = argument.argument().texture;
    return setup &&
           (setup->memory == session::TextureMemory::pitch2d || setup->gather || has_border_of_integers(argument));
}

bool is_cooperative(const Experiment& experiment) {
    return std::ranges::any_of(experiment.launches, [](const auto& each) { return each.configuration().cooperative; });
}

std::string cupy_module(const Experiment& experiment, bool compiles) {
    std::string more = is_cooperative(experiment) ? ", enable_cooperative_groups=True" : "";
    Lines lines;
    if (compiles) {
        std::vector<std::string> templates;
        for (const auto& each : experiment.kernels)
            if (each.is_template) templates.push_back(each.name);
        if (!templates.empty()) more += fmt::format(", name_expressions={}", python_list(templates));
        std::vector<std::string> options;
        for (const auto& each : compiler_options(experiment))
            options.push_back(quoted_text(each));
        for (const auto& each : include_folders(experiment, true))
            options.push_back(fmt::format("\"-I\" + str(FOLDER / {})", quoted_text(each)));
        lines.add(fmt::format("source = (FOLDER / {}).read_text(encoding=\"utf-8\")",
                              quoted_text(experiment.sources.front().path)));
        lines.add(fmt::format("module = cp.RawModule(code=source, options=({},){})", joined(options), more));
    } else {
        lines.add(
            fmt::format("module = cp.RawModule(path=str(FOLDER / {}){})", quoted_text(experiment.ptx_path), more));
    }
    for (const auto& each : experiment.kernels) {
        lines.add(fmt::format("{} = module.get_function({})", each.identifier,
                              quoted_text(compiles && each.is_template ? each.name : each.lowered)));
        if (each.options.carveout)
            lines.add(fmt::format("{}.preferred_shared_memory_carveout = {}", each.identifier, *each.options.carveout));
        if (!each.large_shared) continue;
        lines.add("# More than 48 KiB of shared memory has to be asked for.");
        lines.add(fmt::format("{}.max_dynamic_shared_size_bytes = {}", each.identifier,
                              experiment.is_pipeline() ? fmt::format("{}", each.shared) : "SHARED"));
    }
    return lines.text();
}

class CupyWords final : public StepWords {
public:
    std::string argument(const LaunchArgument& argument) const override {
        const ExportedArgument& given = *argument.argument;
        if (is_texture(given)) return texture_member(argument);
        return given.is_array() ? device_name(given.identifier) : given.identifier;
    }
    std::string launch(const LaunchInProgram& launch) const override {
        const auto& kernel = launch.launch.kernel->identifier;
        const std::string arguments = list_of(launch.arguments) + (launch.arguments.size() == 1 ? "," : "");
        if (launch.config.empty()) return fmt::format("{}(GRID, BLOCK, ({}), shared_mem=SHARED)\n", kernel, arguments);
        return fmt::format("{}(({}), ({}), ({}), shared_mem={})\n", kernel, extents_text(launch.launch.grid),
                           extents_text(launch.launch.block), arguments, launch.launch.configuration().shared);
    }
    std::string copy(const Place& from, const Place& to, std::uint64_t bytes) const override {
        return fmt::format("{} = {}\n", part(to, bytes), part(from, bytes));
    }
    std::string fill(const FillInProgram& fill) const override {
        const auto& dtype = fill.to.argument->data->input.dtype();
        const std::string type = session::type_of_dtype(dtype.name());
        std::vector<std::byte> element(fill.bytes);
        std::memcpy(element.data(), &fill.value, fill.bytes);
        return fmt::format("{} = {}\n", part(fill.to, fill.count * fill.bytes), python_scalar(type, element));
    }
    std::string read_back(const ExportedArgument& argument) const override {
        if (is_texture(argument)) return read_texture(argument);
        return fmt::format("{} = {}.get()\n", result_name(argument.identifier), device_name(argument.identifier));
    }

private:
    static std::string part(const Place& place, std::uint64_t bytes) {
        const std::uint64_t item = is_of_bytes(*place.argument) ? 1 : place.argument->data->input.itemsize();
        return fmt::format("{}.ravel()[{}:{}]", memory_name(*place.argument), place.offset / item,
                           (place.offset + bytes) / item);
    }
};

} // namespace

Program write_cupy(const Experiment& experiment) {
    if (is_cooperative(experiment) &&
        !std::ranges::all_of(experiment.launches, [](const auto& each) { return each.configuration().cooperative; }))
        throw ExportError("The pipeline has launches that are cooperative and others that are not, and CuPy launches "
                          "all kernels of a module in one way. Export it as cuda-core, numba, cpp-driver or "
                          "cpp-warplight.");
    Program program;
    program.why_ptx = why_ptx_in_cupy(experiment);
    const bool compiles = !experiment.is_ptx && program.why_ptx.empty();
    program.loading = compiles ? Loading::source : Loading::ptx;
    const bool by_driver = std::ranges::any_of(experiment.arguments, is_no_texture_of_cupy);
    Lines allocations, uploads, downloads;
    for (const auto& each : experiment.arguments) {
        const std::string& name = each.identifier;
        const auto device = device_name(name);
        if (is_texture(each)) {
            const TextureLines texture =
                texture_lines(experiment, each, TextureWords::python,
                              fmt::format("cp.empty({0}.shape, {0}.dtype)", name), "module.module.ptr");
            allocations.add(texture.allocation);
            uploads.add(texture.upload);
            if (each.is_result()) downloads.add(texture.download);
            continue;
        }
        if (!each.is_variable() && !each.is_array()) continue;
        const bool of_bytes = is_of_bytes(each);
        if (each.is_variable()) {
            const auto memory = fmt::format("module.get_global({})", quoted_text(each.data->lowered));
            allocations.add(of_bytes
                                ? fmt::format("{} = cp.ndarray({}.nbytes, np.uint8, {})", device, name, memory)
                                : fmt::format("{} = cp.ndarray({}.shape, {}.dtype, {})", device, name, name, memory));
        } else if (is_empty(each)) {
            allocations.add(fmt::format("{} = cp.empty(16, np.uint8)  # {} has no elements", device, name));
        } else if (of_bytes) {
            allocations.add(
                fmt::format("{} = cp.empty({}.nbytes, np.uint8)  # CuPy has no arrays of structures", device, name));
        } else {
            allocations.add(fmt::format("{0} = cp.empty({1}.shape, {1}.dtype)", device, name));
        }
        if (!is_empty(each))
            uploads.add(of_bytes ? fmt::format("{}.set(np.frombuffer({}, np.uint8))", device, name)
                                 : fmt::format("{}.set({})", device, name));
        if (!each.is_result()) continue;
        const auto result = result_name(name);
        if (is_empty(each))
            downloads.add(fmt::format("{} = np.empty_like({})", result, name));
        else
            downloads.add(of_bytes
                              ? fmt::format("{0} = {1}.get().view({2}.dtype).reshape({2}.shape)", result, device, name)
                              : fmt::format("{} = {}.get()", result, device));
    }
    const int priority = priority_of(experiment);
    const auto steps = steps_of(
        experiment, Language::python, CupyWords(),
        {.why_not = "CuPy fills by kernels of its own, which it may have to compile while a graph is captured"});
    auto fillings = python_fillings(experiment, cupy_scalar);
    fillings.insert(
        fillings.end(),
        {{"TEXTURES", by_driver ? "from textures import Texture\n" : ""},
         {"TEXTURE", by_driver ? "" : texture_class(experiment, "cupy_texture.py.in")},
         {"MODULE", cupy_module(experiment, compiles)},
         {"STREAM", priority ? fmt::format("stream = cp.cuda.Stream(priority={})\nstream.use()\n", priority) : ""},
         {"ALLOCATIONS", allocations.text()},
         {"UPLOADS", uploads.text()},
         {"STEPS", steps.steps},
         {"DOWNLOADS", downloads.text()}});
    program.files.push_back({"run.py", fill(template_text("cupy.py.in"), fillings)});
    program.files.push_back({"results.py", std::string(template_text("results.py"))});
    if (by_driver) program.files.push_back({"textures.py", std::string(template_text("textures.py"))});
    return program;
}

} // namespace warplight::exporting
