// SPDX-License-Identifier: Apache-2.0
// The threads that run blocks.
#pragma once

#include <functional>

namespace warplight::software {

/// Calls body(0) … body(count - 1), on so many workers at once as there are; returns when all have returned.
/// A call may only begin when another has ended.
void run_on_workers(unsigned count, const std::function<void(unsigned)>& body);

/// Makes the pool ready. A stream's thread may first need it when the process ends already, and what the pool is made
/// of has gone.
void prepare_workers();

} // namespace warplight::software
