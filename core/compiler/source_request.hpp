// SPDX-License-Identifier: Apache-2.0
// The part of a compile request that SourceModule and DynamicModule share.
#pragma once

#include "warplight/context.hpp"
#include "warplight/debugging.hpp"
#include "warplight/error.hpp"
#include "warplight/source_module.hpp"

#include <string>
#include <utility>
#include <vector>

namespace warplight::compiler {

/// @throws LogicError without a current context
template <class Options>
CompileRequest make_request(std::string source, const Options& options,
                            const std::vector<std::string>& compiler_options) {
    const driver::ContextRef context = driver::Context::get_current();
    if (!context)
        driver::throw_logic_error("a module made from source needs a current context", {},
                                  "make one with Device::make_context");
    CompileRequest request;
    request.source = std::move(source);
    request.options = compiler_options.empty() ? DEFAULT_NVCC_FLAGS : compiler_options;
    for (const auto& folder : options.include_dirs)
        request.options.push_back("-I" + folder.string());
    request.extern_c = !options.no_extern_c;
    request.backend = options.nvcc == "nvcc" ? options.backend : Backend::nvcc;
    request.nvcc = options.nvcc;
    request.use_cache = options.cache;
    request.cache_dir = options.cache_dir;
    request.keep = options.keep;
    if (driver::CUDA_DEBUGGING) {
        request.options.push_back("-G");
        if (request.backend == Backend::nvcc) request.options.push_back("-g");
        request.keep = true;
        request.use_cache = false;
    }
    request.arch = options.arch;
    if (request.arch.empty() || request.arch == "auto") {
        auto [major, minor] = context.get_device().compute_capability();
        request.arch = arch_for_device(major, minor, request.backend);
    }
    return request;
}

} // namespace warplight::compiler
