// SPDX-License-Identifier: Apache-2.0
// The switch for debugging: code that is compiled while it is on can be debugged, and stays on the disk.
#pragma once

#include <atomic>

namespace warplight::driver {

/// While true, SourceModule and compile() compile with debug information and without optimisation, keep the compiler's
/// files and use no cache.
inline std::atomic<bool> CUDA_DEBUGGING = false;

inline void set_debugging(bool flag = true) noexcept { CUDA_DEBUGGING = flag; }

} // namespace warplight::driver
