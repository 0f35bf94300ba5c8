// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "launch_request.hpp"
#include "module.hpp"

namespace warplight::software {

/// Which code a launch waits for: any where the launch is short and nobody takes its time.
[[nodiscard]] CodeWanted code_wanted(const LaunchRequest& request);

/// Instructions that a thread executes for each one in the text, if a loop has some turns.
[[nodiscard]] float turns_of(const ptx::Module& module, const ptx::Reachable& reachable);

} // namespace warplight::software
