// SPDX-License-Identifier: Apache-2.0
#include "export/export_error.hpp"
#include "export/identifiers.hpp"
#include "export/program.hpp"
#include "export/program_parts.hpp"
#include "export/scalar_text.hpp"
#include "export/texture_lines.hpp"

#include <fmt/format.h>

namespace warplight::exporting {

Program write_numba(const Experiment& experiment) {
    refuse_textures(experiment, "Numba");
    if (experiment.large_shared)
        throw ExportError(
            "The kernel needs more than 48 KiB of shared memory, which Numba cannot ask for. Export it as "
            "pycuda, cuda-core, cupy, cpp-driver or cpp-warplight.");
    Program program;
    program.loading = Loading::ptx;
    if (!experiment.is_ptx) program.why_ptx = "Numba compiles Python, not CUDA C++";
    const bool cooperative = experiment.session.launch.cooperative;
    Lines allocations, uploads, downloads;
    std::vector<std::string> arguments;
    for (const auto& each : experiment.arguments) {
        const std::string& name = each.identifier;
        const auto device = device_name(name);
        if (!each.is_variable())
            arguments.push_back(
                fmt::format("{}({})", each.is_array() ? "address" : "value", each.is_array() ? device : name));
        if (each.is_variable()) {
            allocations.add(
                fmt::format("{}, _ = module.get_global_symbol({})", device, quoted_text(each.data->lowered)));
            if (!is_empty(each))
                uploads.add(fmt::format("driver.host_to_device({}, {}, {}.nbytes)", device, name, name));
        } else if (each.is_array()) {
            allocations.add(
                is_empty(each) ? fmt::format("{} = cuda.device_array(16, np.uint8)  # {} has no elements", device, name)
                               : fmt::format("{0} = cuda.device_array({1}.shape, {1}.dtype)", device, name));
            if (!is_empty(each)) uploads.add(fmt::format("{}.copy_to_device({})", device, name));
        }
        if (!each.is_result()) continue;
        const auto result = result_name(name);
        if (!each.is_variable() && !is_empty(each)) {
            downloads.add(fmt::format("{} = {}.copy_to_host()", result, device));
            continue;
        }
        downloads.add(fmt::format("{} = np.empty_like({})", result, name));
        if (!is_empty(each)) downloads.add(fmt::format("driver.device_to_host({0}, {1}, {0}.nbytes)", result, device));
    }
    auto fillings = python_fillings(experiment, python_scalar_line);
    fillings.insert(fillings.end(), {{"PTX", quoted_text(experiment.ptx_path)},
                                     {"LOWERED", quoted_text(experiment.lowered)},
                                     {"ALLOCATIONS", allocations.text()},
                                     {"UPLOADS", uploads.text()},
                                     {"ARGUMENTS", joined(arguments)},
                                     {"COOPERATIVE", cooperative ? ", cooperative=True" : ""},
                                     {"LAUNCH", cooperative ? "cuLaunchCooperativeKernel" : "cuLaunchKernel"},
                                     {"EXTRA", cooperative ? "" : ", 0"},
                                     {"DOWNLOADS", downloads.text()}});
    program.files.push_back({"run.py", fill(template_text("numba.py.in"), fillings)});
    program.files.push_back({"results.py", std::string(template_text("results.py"))});
    return program;
}

} // namespace warplight::exporting
