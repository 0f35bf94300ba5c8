// SPDX-License-Identifier: Apache-2.0
#include "export/export_error.hpp"
#include "export/identifiers.hpp"
#include "export/program.hpp"
#include "export/program_parts.hpp"
#include "export/scalar_text.hpp"
#include "export/steps.hpp"
#include "export/texture_lines.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace warplight::exporting {
namespace {

constexpr std::string_view variable_function = R"(

def variable(name, like):
    """A variable of the module as an array of the device."""
    pointer, _ = module.get_global_symbol(name)
    interface = {"shape": like.shape, "typestr": like.dtype.str, "version": 2,
                 "data": (pointer.device_pointer_value, False)}
    return cuda.as_cuda_array(types.SimpleNamespace(__cuda_array_interface__=interface))
)";

class NumbaWords final : public StepWords {
public:
    explicit NumbaWords(Identifiers identifiers) : identifiers_(std::move(identifiers)) {}

    std::string argument(const LaunchArgument& argument) const override {
        const ExportedArgument& given = *argument.argument;
        if (argument.as != session::GivenAs::address) return fmt::format("value({})", texture_member(argument));
        return given.is_array() ? fmt::format("address({})", memory_name(given))
                                : fmt::format("value({})", given.identifier);
    }
    std::string launch(const LaunchInProgram& launch) const override {
        const auto& kernel = launch.launch.kernel->identifier;
        const std::string_view end = launch.launch.configuration().cooperative ? ", cooperative=True)\n" : ")\n";
        if (launch.config.empty()) return fmt::format("launch({}, GRID, BLOCK, SHARED, arguments{}", kernel, end);
        std::string list;
        for (const auto& each : launch.arguments)
            list += (list.empty() ? "" : ", ") + (each.is_computed ? fmt::format("value({})", each.text) : each.text);
        return fmt::format("launch({}, ({}), ({}), {}, [{}]{}", kernel, extents_text(launch.launch.grid),
                           extents_text(launch.launch.block), launch.launch.configuration().shared, list, end);
    }
    std::string copy(const Place& from, const Place& to, std::uint64_t bytes) const override {
        return fmt::format("{}.copy_to_device({}, stream=stream)\n", part(to, bytes), part(from, bytes));
    }
    /// Numba fills with bytes alone.
    std::string fill(const FillInProgram& fill) const override {
        std::vector<std::byte> element(fill.bytes);
        std::memcpy(element.data(), &fill.value, fill.bytes);
        const std::uint64_t bytes = fill.count * fill.bytes;
        if (std::ranges::all_of(element, [&](std::byte each) { return each == element.front(); }))
            return fmt::format("driver.device_memset({}, {:#x}, {}, stream)\n", part(fill.to, bytes), fill.value & 0xff,
                               bytes);
        const auto name = identifiers_.make("filling");
        const std::string type = session::type_of_dtype(fill.to.argument->data->input.dtype().name());
        before_.add(
            fmt::format("{} = cuda.to_device(np.full({}, {}))", name, fill.count, python_scalar(type, element)));
        return fmt::format("{}.copy_to_device({}, stream=stream)\n", part(fill.to, bytes), name);
    }
    std::string read_back(const ExportedArgument& argument) const override {
        if (is_texture(argument)) return read_texture(argument);
        return fmt::format("{} = {}.copy_to_host(stream=stream)\nstream.synchronize()\n",
                           result_name(argument.identifier), device_name(argument.identifier));
    }
    /// What fills copy.
    [[nodiscard]] const std::string& before() const { return before_.text(); }

private:
    static std::string part(const Place& place, std::uint64_t bytes) {
        const NdArray& array = place.argument->data->input;
        const std::uint64_t item = array.itemsize();
        // Older versions of Numba cannot make a flat array flat.
        const std::string flat = array.ndim() == 1 ? "" : fmt::format(".reshape({})", array.size());
        return fmt::format("{}{}[{}:{}]", memory_name(*place.argument), flat, place.offset / item,
                           (place.offset + bytes) / item);
    }

    mutable Identifiers identifiers_;
    mutable Lines before_;
};

} // namespace

Program write_numba(const Experiment& experiment) {
    if (std::ranges::any_of(experiment.kernels, &ExportedKernel::large_shared))
        throw ExportError(
            "The kernel needs more than 48 KiB of shared memory, which Numba cannot ask for. Export it as "
            "pycuda, cuda-core, cupy, cpp-driver or cpp-warplight.");
    Program program;
    program.loading = Loading::ptx;
    if (!experiment.is_ptx) program.why_ptx = "Numba compiles Python, not CUDA C++";
    Lines allocations, uploads, downloads;
    bool has_wrapped = false;
    const NumbaWords words(experiment.identifiers);
    std::vector<std::string> arguments;
    if (!experiment.is_pipeline())
        for (const auto& each : experiment.launch().arguments)
            arguments.push_back(words.argument(each));
    for (const auto& each : experiment.arguments) {
        const std::string& name = each.identifier;
        const auto device = device_name(name);
        if (is_texture(each)) {
            const TextureLines texture =
                texture_lines(experiment, each, TextureWords::python,
                              fmt::format("cuda.device_array({0}.shape, {0}.dtype)", name), "module.handle");
            allocations.add(texture.allocation);
            uploads.add(texture.upload);
            if (each.is_result()) downloads.add(texture.download);
            continue;
        }
        // Copies and fills of a pipeline need an array.
        const bool is_wrapped = each.is_variable() && each.is_array() && experiment.is_pipeline() && !is_empty(each);
        if (is_wrapped) {
            allocations.add(fmt::format("{} = variable({}, {})", device, quoted_text(each.data->lowered), name));
            has_wrapped = true;
        } else if (each.is_variable()) {
            allocations.add(
                fmt::format("{}, _ = module.get_global_symbol({})", device, quoted_text(each.data->lowered)));
            if (!is_empty(each))
                uploads.add(fmt::format("driver.host_to_device({}, {}, {}.nbytes)", device, name, name));
        } else if (each.is_array()) {
            allocations.add(
                is_empty(each) ? fmt::format("{} = cuda.device_array(16, np.uint8)  # {} has no elements", device, name)
                               : fmt::format("{0} = cuda.device_array({1}.shape, {1}.dtype)", device, name));
        }
        const bool is_device_array = is_wrapped || (each.is_array() && !each.is_variable());
        if (is_device_array && !is_empty(each)) uploads.add(fmt::format("{}.copy_to_device({})", device, name));
        if (!each.is_result()) continue;
        const auto result = result_name(name);
        if (is_device_array && !is_empty(each)) {
            downloads.add(fmt::format("{} = {}.copy_to_host()", result, device));
            continue;
        }
        downloads.add(fmt::format("{} = np.empty_like({})", result, name));
        if (!is_empty(each)) downloads.add(fmt::format("driver.device_to_host({0}, {1}, {0}.nbytes)", result, device));
    }
    Lines kernels;
    for (const auto& each : experiment.kernels)
        kernels.add(fmt::format("{} = module.get_function({})", each.identifier, quoted_text(each.lowered)));
    const auto steps = steps_of(experiment, Language::python, words, {.why_not = "Numba has no graphs"});
    auto fillings = python_fillings(experiment, python_scalar_line);
    fillings.insert(
        fillings.end(),
        {{"TEXTURES", has_textures(experiment) ? "from textures import Texture\n" : ""},
         {"STREAM", has_textures(experiment) ? "Texture.stream = int(stream)\n" : ""},
         {"PTX", quoted_text(experiment.ptx_path)},
         {"FUNCTIONS", kernels.text()},
         {"IMPORTS", has_wrapped ? "import types\n" : ""},
         {"VARIABLE", has_wrapped ? std::string(variable_function) : ""},
         {"ALLOCATIONS", allocations.text()},
         {"UPLOADS", uploads.text()},
         {"BEFORE", experiment.is_pipeline() ? words.before() : fmt::format("arguments = [{}]\n", joined(arguments))},
         {"STEPS", steps.steps},
         {"DOWNLOADS", downloads.text()}});
    program.files.push_back({"run.py", fill(template_text("numba.py.in"), fillings)});
    program.files.push_back({"results.py", std::string(template_text("results.py"))});
    if (has_textures(experiment)) program.files.push_back({"textures.py", std::string(template_text("textures.py"))});
    return program;
}

} // namespace warplight::exporting
