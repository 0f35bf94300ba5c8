// SPDX-License-Identifier: Apache-2.0
#include "warplight/source_module.hpp"

#include "compiler/source_request.hpp"
#include "warplight/error.hpp"
#include "warplight/function.hpp"

#include <algorithm>
#include <memory>
#include <span>

namespace warplight::compiler {
namespace {

constexpr int kUnsupportedPtxVersion = 222; // CUDA_ERROR_UNSUPPORTED_PTX_VERSION

CompileResult compile_or_throw(const CompileRequest& request) {
    CompileResult result = compile(request);
    if (!result.ok) throw_compile_error(result);
    return result;
}

/// Messages about arguments name the source's parameters.
void describe(const driver::Function& function, const Kernel& kernel) {
    std::vector<driver::ParameterInfo> parameters;
    for (const Parameter& parameter : kernel.parameters) {
        driver::ParameterInfo info{.name = parameter.name, .declared = parameter.type};
        if (!parameter.pointer && parameter.components == 1 && parameter.dtype.find("int") != std::string::npos)
            info.is_signed = parameter.dtype.starts_with("int");
        parameters.push_back(std::move(info));
    }
    function.describe_source(kernel.name, parameters);
}

} // namespace

void throw_compile_error(const CompileResult& result) {
    std::string message;
    int shown = 0;
    for (const Diagnostic& diagnostic : result.diagnostics) {
        if (diagnostic.severity != Severity::error || ++shown > 5) continue;
        message += message.empty() ? "" : "\n";
        if (!diagnostic.file.empty()) {
            message += diagnostic.file + ":" + std::to_string(diagnostic.line) + ": ";
        }
        message += diagnostic.message;
        for (const std::string& note : diagnostic.notes)
            message += "\n  " + note;
    }
    if (shown > 5) message += "\nand " + std::to_string(shown - 5) + " more";
    if (message.empty()) message = result.cancelled ? "compilation was cancelled" : "compilation failed";
    throw CompileError(message, result.command, "", result.log);
}

driver::Function CudaModule::get_function(const std::string& name) const {
    // The name that was added last counts.
    const auto known = std::find_if(lowered_.rbegin(), lowered_.rend(),
                                    [&](const LoweredName& each) { return each.expression == name; });
    driver::Function function = module().get_function(known == lowered_.rend() ? name : known->lowered);
    for (const Kernel& kernel : kernels_)
        if (kernel.lowered == function.name()) describe(function, kernel);
    return function;
}

driver::Global CudaModule::get_global(const std::string& name) const { return module().get_global(name); }
driver::TextureReference CudaModule::get_texref(const std::string& name) const { return module().get_texref(name); }
driver::SurfaceReference CudaModule::get_surfref(const std::string& name) const { return module().get_surfref(name); }

const driver::Module& CudaModule::module() const {
    if (!module_) driver::throw_logic_error("the module is not linked yet", {}, "Call link() first");
    return *module_;
}

void CudaModule::add_names(const CompileResult& result) {
    for (const Kernel& kernel : result.kernels)
        if (!kernel.lowered.empty()) lowered_.push_back({kernel.name, kernel.lowered});
    kernels_.insert(kernels_.end(), result.kernels.begin(), result.kernels.end());
    lowered_.insert(lowered_.end(), result.lowered_names.begin(), result.lowered_names.end());
}

void CudaModule::bind_module(driver::Module module) { module_ = std::make_shared<driver::Module>(std::move(module)); }

SourceModule::SourceModule(std::string source, const SourceOptions& options) {
    CompileRequest request = make_request(std::move(source), options, options.options);
    request.name = options.name;
    request.folder = options.folder;
    request.name_expressions = options.name_expressions;
    if (!options.code.empty()) {
        request.arch = options.code;
        request.cubin = options.code.starts_with("sm_");
    }
    result_ = compile_or_throw(request);
    add_names(result_);
    if (request.cubin) {
        bind_module(driver::module_from_buffer(std::span(result_.cubin)));
        return;
    }
    try {
        bind_module(driver::module_from_buffer(std::string_view(result_.ptx)));
    } catch (const Error& error) {
        // The compiler is newer than the driver. Such a driver refuses the PTX but runs machine code.
        if (error.code() != kUnsupportedPtxVersion) throw;
        request.cubin = true;
        result_ = compile_or_throw(request);
        bind_module(driver::module_from_buffer(std::span(result_.cubin)));
    }
}

} // namespace warplight::compiler
