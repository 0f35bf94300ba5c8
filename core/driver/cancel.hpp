// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "warplight/driver.hpp"

namespace warplight::driver {

/// Ends the kernels that run in this process on a driver that can do that, as the software device can; false: it
/// cannot. They fail with CUDA_ERROR_LAUNCH_TIMEOUT, and their contexts with them. Returns when they have ended;
/// nothing happens where none runs. From any thread.
bool cancel_kernels(const Driver& driver);

} // namespace warplight::driver
