// SPDX-License-Identifier: Apache-2.0
#include "export/identifiers.hpp"
#include "export/program.hpp"
#include "export/program_parts.hpp"
#include "export/scalar_text.hpp"
#include "export/texture_lines.hpp"

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
    if (experiment.is_template) parameters += ", std::string& kernel";
    std::vector<std::string> options;
    for (const auto& each : compiler_options(experiment))
        options.push_back(quoted_text(each));
    Lines folders;
    for (const auto& each : include_folders(experiment, true))
        folders.add(fmt::format("options.push_back(\"-I\" + (folder / {}).string());", quoted_text(each)));
    const auto expression = quoted_text(experiment.kernel);
    const std::string& source = experiment.sources.front().path;
    return fill(
        template_text("driver_nvrtc.cpp.in"),
        {{"ARCH_FUNCTION", of_device ? std::string(template_text("driver_arch.cpp.in")) + "\n" : ""},
         {"ABOUT", experiment.is_template ? " `kernel` becomes the instance's name there." : ""},
         {"PARAMETERS", parameters},
         {"SOURCE", quoted_text(source)},
         {"ARCH", of_device ? "+ newest_arch(device)" : quoted_text(arch)},
         {"OPTIONS", joined(options)},
         {"FOLDERS", folders.text()},
         {"FILE", quoted_text(source.substr(source.rfind('/') + 1))},
         {"EXPRESSION",
          experiment.is_template ? fmt::format("check(nvrtcAddNameExpression(program, {}));\n", expression) : ""},
         {"LOWERED", experiment.is_template ? fmt::format("const char* lowered = nullptr;\n"
                                                          "check(nvrtcGetLoweredName(program, {}, &lowered));\n"
                                                          "kernel = lowered;\n",
                                                          expression)
                                            : ""}});
}

std::string module_lines(const Experiment& experiment, bool compiles) {
    Lines lines;
    const bool named_later = compiles && experiment.is_template;
    lines.add(named_later ? "std::string name;"
                          : fmt::format("const std::string name = {}; // in the PTX", quoted_text(experiment.lowered)));
    lines.add(compiles
                  ? fmt::format("const std::string ptx = compile(folder{}{});",
                                experiment.session.compile.arch == "auto" ? ", device" : "",
                                experiment.is_template ? ", name" : "")
                  : fmt::format("const std::string ptx = read_text(folder / {});", quoted_text(experiment.ptx_path)));
    lines.add("CUmodule module = nullptr;");
    lines.add("check(cuModuleLoadData(&module, ptx.c_str()));");
    lines.add("CUfunction kernel = nullptr;");
    lines.add("check(cuModuleGetFunction(&kernel, module, name.c_str()));");
    if (experiment.large_shared) {
        lines.add("// More than 48 KiB of shared memory has to be asked for.");
        lines.add(fmt::format("check(cuFuncSetAttribute(kernel, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, {}));",
                              experiment.session.launch.shared));
    }
    return lines.text();
}

} // namespace

Program write_cpp_driver(const Experiment& experiment) {
    Program program;
    program.why_ptx = why_ptx_in_cpp(experiment);
    const bool compiles = !experiment.is_ptx && program.why_ptx.empty();
    program.loading = compiles ? Loading::source : Loading::ptx;
    Lines allocations, uploads, downloads, frees;
    std::vector<std::string> arguments;
    for (const auto& each : experiment.arguments) {
        const std::string& name = each.identifier;
        const auto device = device_name(name);
        if (is_texture(each)) {
            const TextureLines lines = driver_texture(each);
            arguments.push_back(lines.argument);
            allocations.add(lines.allocation.text());
            uploads.add(lines.upload);
            if (each.is_result()) downloads.add(fmt::format("Array {} = {};", result_name(name), name));
            if (each.is_result()) downloads.add(lines.download);
            frees.add(device + ".free();");
            continue;
        }
        if (!each.is_variable()) arguments.push_back("&" + (each.is_array() ? device : name));
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
    const auto& launch = experiment.session.launch;
    const auto extents =
        fmt::format("{}, {}, {}", fmt::join(experiment.grid, ", "), fmt::join(experiment.block, ", "), launch.shared);
    auto fillings = cpp_fillings(experiment);
    fillings.insert(fillings.end(),
                    {{"INCLUDES", compiles ? "#include <nvrtc.h>\n" : ""},
                     {"TEXTURE", has_textures(experiment) ? std::string(template_text("driver_texture.cpp.in")) : ""},
                     {"COMPILE", compiles ? compile_function(experiment) : ""},
                     {"MODULE", module_lines(experiment, compiles)},
                     {"ALLOCATIONS", allocations.text()},
                     {"ARGUMENTS", joined(arguments)},
                     {"UPLOADS", uploads.text()},
                     {"LAUNCH", launch.cooperative
                                    ? fmt::format("cuLaunchCooperativeKernel(kernel, {}, nullptr, arguments)", extents)
                                    : fmt::format("cuLaunchKernel(kernel, {}, nullptr, arguments, nullptr)", extents)},
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
