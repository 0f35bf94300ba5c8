// SPDX-License-Identifier: Apache-2.0
#include "compiler/nvrtc_library.hpp"

#include "compiler/platform.hpp"
#include "compiler/toolkit.hpp"

#include <algorithm>
#include <deque>
#include <filesystem>
#include <mutex>
#include <utility>

namespace warplight::compiler {
namespace {

template <class F>
bool bind(void* library, F& function, const char* name) {
    function = reinterpret_cast<F>(platform::find_symbol(library, name));
    return function != nullptr;
}

bool fill(NvrtcLibrary& n, void* library) {
    bool complete = bind(library, n.version, "nvrtcVersion") && bind(library, n.error_string, "nvrtcGetErrorString") &&
                    bind(library, n.create, "nvrtcCreateProgram") && bind(library, n.destroy, "nvrtcDestroyProgram") &&
                    bind(library, n.compile, "nvrtcCompileProgram") &&
                    bind(library, n.log_size, "nvrtcGetProgramLogSize") && bind(library, n.log, "nvrtcGetProgramLog") &&
                    bind(library, n.ptx_size, "nvrtcGetPTXSize") && bind(library, n.ptx, "nvrtcGetPTX") &&
                    bind(library, n.add_name, "nvrtcAddNameExpression") &&
                    bind(library, n.lowered_name, "nvrtcGetLoweredName");
    if (!complete) return false;
    bind(library, n.arch_count, "nvrtcGetNumSupportedArchs");
    bind(library, n.archs, "nvrtcGetSupportedArchs");
    bind(library, n.cubin_size, "nvrtcGetCUBINSize");
    bind(library, n.cubin, "nvrtcGetCUBIN");
    // The name before 12.0.
    bind(library, n.lto_size, "nvrtcGetLTOIRSize") || bind(library, n.lto_size, "nvrtcGetNVVMSize");
    bind(library, n.lto, "nvrtcGetLTOIR") || bind(library, n.lto, "nvrtcGetNVVM");
    bind(library, n.flow_callback, "nvrtcSetFlowCallback");
    return n.version(&n.major, &n.minor) == 0;
}

/// What the loader says of a library that is there, but that no memory is left for.
bool lacks_memory(const std::string& problem) {
    for (const char* words : {"allocate memory", "map segment", "zero-fill", "memory exhausted", "Not enough memory"})
        if (problem.find(words) != std::string::npos) return true;
    return false;
}

NvrtcLibrary open() {
    std::string tried, damaged;
    bool no_memory = false;
    // Of files that are there: what is wrong with the best one.
    const auto cannot_use = [&](const std::string& candidate, const std::string& why) {
        tried.append("\n  ").append(candidate).append(": ").append(why);
        std::error_code ignored;
        if (damaged.empty() && std::filesystem::path(candidate).has_parent_path() &&
            std::filesystem::exists(candidate, ignored))
            damaged = candidate + " " + why;
    };
    for (const std::string& candidate : nvrtc_candidates()) {
        std::string problem;
        void* library = platform::open_library(candidate, problem);
        if (!library) {
            cannot_use(candidate, problem);
            no_memory = no_memory || lacks_memory(problem);
            continue;
        }
        NvrtcLibrary result;
        if (!fill(result, library)) {
            cannot_use(candidate, "is not a complete NVRTC");
            continue;
        }
        if (result.major * 100 + result.minor < 1102) {
            cannot_use(candidate, "is too old");
            continue;
        }
        result.path = platform::file_of_symbol(reinterpret_cast<void*>(result.version));
        open_nvrtc_builtins(result.path);
        result.include_dirs = include_dirs_for(result.path, result.major);
        int count = 0;
        if (result.arch_count && result.archs && result.arch_count(&count) == 0 && count > 0) {
            result.architectures.resize(static_cast<std::size_t>(count));
            result.archs(result.architectures.data());
            std::sort(result.architectures.begin(), result.architectures.end());
        }
        return result;
    }
    NvrtcLibrary missing;
    if (no_memory)
        missing.problem = "NVRTC, the CUDA run-time compiler, cannot be loaded: out of memory. A limit on memory "
                          "(ulimit -v, --memory) is too small for it.";
    else if (!damaged.empty())
        missing.problem = "NVRTC, the CUDA run-time compiler, cannot be used: " + damaged + ". " + install_hint();
    else
        missing.problem = "NVRTC, the CUDA run-time compiler, was not found. " + install_hint();
    missing.problem += "\nTried:" + tried;
    return missing;
}

} // namespace

void open_nvrtc_builtins(const std::filesystem::path& library) {
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(library.parent_path(), error)) {
        const std::string name = entry.path().filename().string();
        if (name.find("nvrtc-builtins") == std::string::npos || name.find(".alt.") != std::string::npos) continue;
        std::string problem;
        platform::open_library(entry.path().string(), problem);
    }
}

const NvrtcLibrary& NvrtcLibrary::instance() {
    static std::mutex mutex;
    static std::deque<NvrtcLibrary> libraries; // references into it stay good
    const std::scoped_lock lock(mutex);
    if (!libraries.empty() && libraries.back().found()) return libraries.back();
    // A missing library may have been installed since the last call.
    NvrtcLibrary library = open();
    if (libraries.empty() || library.found()) libraries.push_back(std::move(library));
    return libraries.back();
}

} // namespace warplight::compiler
