// SPDX-License-Identifier: Apache-2.0
// Choices that depend on the size of the memory that a launch's parameters point into.
#pragma once

#include "launch_request.hpp"

#include <cstdint>
#include <memory>

namespace warplight::jit {
class CompiledKernel;
}

namespace warplight::software {

/// The code for a launch, compiled at the first call. Throws CUDA_ERROR_INVALID_PTX.
[[nodiscard]] std::shared_ptr<const jit::CompiledKernel> kernel_for(const LaunchRequest& request);

/// LaunchContext::non_temporal: the parameters whose memory the kernel writes with non-temporal stores.
[[nodiscard]] std::uint32_t non_temporal_memory(const jit::CompiledKernel& kernel, const LaunchRequest& request);

} // namespace warplight::software
