// SPDX-License-Identifier: Apache-2.0
#include "warplight/source_module.hpp"

#include "warplight/context.hpp"
#include "warplight/error.hpp"
#include "warplight/function.hpp"

#include <span>

namespace warplight::compiler {
namespace {

constexpr int kUnsupportedPtxVersion = 222; // CUDA_ERROR_UNSUPPORTED_PTX_VERSION

CompileResult compile_or_throw(const CompileRequest& request) {
    CompileResult result = compile(request);
    if (!result.ok) throw_compile_error(result);
    return result;
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

SourceModule::SourceModule(std::string source, const SourceOptions& options) {
    driver::ContextRef context = driver::Context::get_current();
    if (!context)
        driver::throw_logic_error("SourceModule needs a current context", {}, "make one with Device::make_context");
    CompileRequest request;
    request.source = std::move(source);
    request.name = options.name;
    request.folder = options.folder;
    request.options = options.options;
    for (const auto& folder : options.include_dirs)
        request.options.push_back("-I" + folder.string());
    request.extern_c = !options.no_extern_c;
    request.name_expressions = options.name_expressions;
    request.backend = options.backend;
    request.use_cache = options.cache;
    request.arch = options.arch;
    if (request.arch.empty() || request.arch == "auto") {
        auto [major, minor] = context.get_device().compute_capability();
        request.arch = arch_for_device(major, minor, request.backend);
    }
    result_ = compile_or_throw(request);
    try {
        module_ = std::make_shared<driver::Module>(driver::module_from_buffer(std::string_view(result_.ptx)));
    } catch (const Error& error) {
        // A compiler newer than the driver: machine code still runs where PTX of a later version does not.
        if (error.code() != kUnsupportedPtxVersion) throw;
        request.cubin = true;
        result_ = compile_or_throw(request);
        module_ = std::make_shared<driver::Module>(driver::module_from_buffer(std::span(result_.cubin)));
    }
}

driver::Function SourceModule::get_function(const std::string& name) const {
    if (auto found = result_.lowered_names.find(name); found != result_.lowered_names.end())
        return module_->get_function(found->second);
    for (const Kernel& kernel : result_.kernels)
        if (kernel.name == name && !kernel.lowered.empty()) return module_->get_function(kernel.lowered);
    return module_->get_function(name);
}

driver::Global SourceModule::get_global(const std::string& name) const { return module_->get_global(name); }
driver::TextureReference SourceModule::get_texref(const std::string& name) const { return module_->get_texref(name); }
driver::SurfaceReference SourceModule::get_surfref(const std::string& name) const { return module_->get_surfref(name); }

} // namespace warplight::compiler
