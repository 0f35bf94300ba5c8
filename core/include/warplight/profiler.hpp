// SPDX-License-Identifier: Apache-2.0
// What a profiler that watches the process records.
#pragma once

#include "warplight/enums.hpp"

#include <string>

namespace warplight::driver {

/// Asks the driver's own profiler for a trace in output_file. Drivers since CUDA 12.0 have none.
/// @throws LogicError (CUDA_ERROR_NOT_SUPPORTED) there.
void initialize_profiler(const std::string& config_file, const std::string& output_file,
                         profiler_output_mode output_mode);
/// From here on work of the current context is recorded; without a profiler there is no effect.
void start_profiler();
/// Up to here.
void stop_profiler();

} // namespace warplight::driver
