// SPDX-License-Identifier: Apache-2.0
#include "session/local_arrays.hpp"

#include "session/struct_layouts.hpp"

#ifdef WARPLIGHT_HAS_DEBUG_INFO
#include "debug/local_arrays.hpp"
#endif

#include <algorithm>
#include <utility>

namespace warplight::session {

#ifdef WARPLIGHT_HAS_DEBUG_INFO
std::string with_bounds_of_local_arrays(std::string ptx, compiler::CompileRequest request) {
    if (ptx.find("__local_depot") == std::string::npos) return ptx;
    const auto has = [&](const char* name, const char* other) {
        return std::any_of(request.options.begin(), request.options.end(),
                           [&](const auto& o) { return o == name || o == other; });
    };
    if (has("-G", "--device-debug")) return debug::with_local_arrays(ptx, ptx);
    if (!request.line_info && !has("-lineinfo", "--generate-line-info")) return ptx;
    const auto result = compiler::compile(for_debugger(std::move(request)));
    return result.ok ? debug::with_local_arrays(ptx, result.ptx) : ptx;
}
#else
std::string with_bounds_of_local_arrays(std::string ptx, compiler::CompileRequest) { return ptx; }
#endif

} // namespace warplight::session
