// SPDX-License-Identifier: Apache-2.0
// Operations of streams on single words of memory: waiting for a value, and writing one.
#pragma once

#include <cuda.h>

#include <vector>

namespace warplight::software {

class Context;

/// Throws the driver's codes for operations that are none. `first_version`: of the interface before CUDA 11.7, which
/// has no barriers.
void check_memory_operations(const std::vector<CUstreamBatchMemOpParams>& operations, bool first_version);

/// One after the other; waiting ends early when the context has failed or is being destroyed.
void run_memory_operations(const Context& context, const std::vector<CUstreamBatchMemOpParams>& operations);

} // namespace warplight::software
