// SPDX-License-Identifier: Apache-2.0
#include "warplight/profiler.hpp"

#include "interface/state.hpp"

namespace warplight::driver {

void initialize_profiler(const std::string& config_file, const std::string& output_file,
                         profiler_output_mode output_mode) {
    const auto context = detail::current_context();
    const detail::Scope scope(*context);
    WARPLIGHT_CALL(*context->driver, cuProfilerInitialize, context->describe(), config_file.c_str(),
                   output_file.c_str(), static_cast<int>(output_mode));
}

void start_profiler() {
    const auto context = detail::current_context();
    const detail::Scope scope(*context);
    WARPLIGHT_CALL(*context->driver, cuProfilerStart, context->describe());
}

void stop_profiler() {
    const auto context = detail::current_context();
    const detail::Scope scope(*context);
    WARPLIGHT_CALL(*context->driver, cuProfilerStop, context->describe());
}

} // namespace warplight::driver
