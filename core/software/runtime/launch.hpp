// SPDX-License-Identifier: Apache-2.0
// Launches, carried out on all workers.
#pragma once

namespace warplight::software {

class Context;
struct LaunchRequest;

/// Runs the kernel, and the grids that it launches, to the end on the workers. Throws Failure with the kernel's fault.
void run_launch(Context& context, const LaunchRequest& request);

} // namespace warplight::software
