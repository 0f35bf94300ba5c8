// SPDX-License-Identifier: Apache-2.0
#include "kernel_source.hpp"

#include "inline_calls.hpp"

#include <stdexcept>

namespace warplight::jit {

namespace {

/// A variable without its initial value, which only the loader needs.
ptx::Variable declaration_of(const ptx::Variable& v) {
    ptx::Variable declared;
    declared.name = v.name;
    declared.space = v.space;
    declared.type = v.type;
    declared.vector_width = v.vector_width;
    declared.linkage = v.linkage;
    declared.unsized = v.unsized;
    declared.size = v.size;
    declared.alignment = v.alignment;
    return declared;
}

/// A module in which a kernel is the only function with a body.
ptx::Module module_of(const ptx::Module& module, ptx::FunctionId kernel, ptx::Function function) {
    ptx::Module alone;
    alone.version_major = module.version_major;
    alone.version_minor = module.version_minor;
    alone.target = module.target;
    alone.target_suffix = module.target_suffix;
    alone.address_size = module.address_size;
    alone.debug = module.debug;
    alone.files = module.files;
    alone.locations = module.locations;
    for (const ptx::Variable& v : module.variables)
        alone.variables.push_back(declaration_of(v));
    alone.functions.resize(module.functions.size());
    alone.functions[kernel] = std::move(function);
    return alone;
}

} // namespace

KernelSource prepare_source(const ptx::Module& module, ptx::FunctionId kernel, unsigned width) {
    if (kernel >= module.functions.size() || !module.functions[kernel].kernel || !module.functions[kernel].defined)
        throw std::runtime_error("not a kernel");
    KernelSource source;
    source.kernel = kernel;
    source.module = &module;
    source.analysis = analyse(module, kernel);
    if (width <= 1) return source;
    auto inlined = inline_calls(module, kernel, source.analysis);
    if (!inlined) return source;
    source.without_calls = std::make_unique<ptx::Module>(module_of(module, kernel, std::move(inlined->function)));
    source.module = source.without_calls.get();
    source.origins = std::move(inlined->origins);
    source.analysis = analyse(*source.module, kernel);
    return source;
}

LanesOrObstacle plan_source(const KernelSource& source, unsigned width) {
    if (width <= 1) return {};
    auto planned = plan_lanes(source.function(), source.analysis.functions[source.kernel], width);
    if (auto* obstacle = std::get_if<std::string>(&planned)) return {std::nullopt, std::move(*obstacle)};
    return {std::get<LanePlan>(std::move(planned)), {}};
}

} // namespace warplight::jit
