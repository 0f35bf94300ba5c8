// SPDX-License-Identifier: Apache-2.0
#include "session/local_arrays.hpp"

#ifdef WARPLIGHT_HAS_DEBUG_INFO
#include "debug/local_arrays.hpp"
#endif

#include <algorithm>
#include <utility>

namespace warplight::session {

#ifdef WARPLIGHT_HAS_DEBUG_INFO
std::string with_bounds_of_local_arrays(std::string ptx, compiler::CompileRequest request) {
    if (ptx.find("__local_depot") == std::string::npos) return ptx;
    auto& options = request.options;
    const auto has = [&](const char* name, const char* other) {
        return std::any_of(options.begin(), options.end(), [&](const auto& o) { return o == name || o == other; });
    };
    if (has("-G", "--device-debug")) return debug::with_local_arrays(ptx, ptx);
    if (!request.line_info && !has("-lineinfo", "--generate-line-info")) return ptx;
    std::erase_if(options, [](const std::string& o) { return o == "-lineinfo" || o == "--generate-line-info"; });
    options.emplace_back("--device-debug");
    request.line_info = false;
    request.report = false;
    const auto result = compiler::compile(request);
    return result.ok ? debug::with_local_arrays(ptx, result.ptx) : ptx;
}
#else
std::string with_bounds_of_local_arrays(std::string ptx, compiler::CompileRequest) { return ptx; }
#endif

} // namespace warplight::session
