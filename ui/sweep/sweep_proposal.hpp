// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/sweep.hpp"
#include "ui/launch/launch_shape.hpp"

namespace warplight::ui {

/// A sweep of block sizes around that of the launch. The grid follows so that it covers as many threads as now, and
/// dynamic shared memory so that a thread has as much as now. Of a pipeline it is one launch.
/// @throws SessionError where there is none
session::Sweep compareBlockSizes(const session::Session& session, const compiler::Kernel* kernel,
                                 const LaunchLimits& limits);

} // namespace warplight::ui
