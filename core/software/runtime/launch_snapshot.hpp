// SPDX-License-Identifier: Apache-2.0
// Copies what one launch of a program reads and leaves: WARPLIGHT_SNAPSHOT (launch_log/snapshot.hpp).
#pragma once

namespace warplight::software {

class Context;
struct LaunchRequest;

/// run_launch(), with a snapshot where this launch is the one that is asked for.
void run_launch_with_snapshot(Context& context, const LaunchRequest& request);

} // namespace warplight::software
