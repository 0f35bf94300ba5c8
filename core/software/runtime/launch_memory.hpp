// SPDX-License-Identifier: Apache-2.0
// The memory that a launch's parameters point into, and the choices that depend on its size.
#pragma once

#include "launch.hpp"

#include <cstdint>
#include <memory>

namespace warplight::jit {
class CompiledKernel;
}

namespace warplight::software {

/// The code for a launch, compiled at the first call. Throws CUDA_ERROR_INVALID_PTX.
[[nodiscard]] std::shared_ptr<const jit::CompiledKernel> kernel_for(const LaunchRequest& request);

/// LaunchContext::non_temporal.
[[nodiscard]] std::uint32_t non_temporal_memory(const jit::CompiledKernel& kernel, const LaunchRequest& request);

} // namespace warplight::software
