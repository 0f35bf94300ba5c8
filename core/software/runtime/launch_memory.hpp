// SPDX-License-Identifier: Apache-2.0
// Choices that depend on the size of the memory that a launch's parameters point into.
#pragma once

#include "address_space.hpp"
#include "launch_request.hpp"

#include <cstdint>
#include <memory>

namespace warplight::jit {
class CompiledKernel;
}

namespace warplight::software {

/// The code for a launch, compiled at the first call. Throws CUDA_ERROR_INVALID_PTX.
[[nodiscard]] std::shared_ptr<const jit::CompiledKernel> kernel_for(const LaunchRequest& request);

/// The word at an offset of the packed parameters; 0 behind their end.
[[nodiscard]] std::uint64_t word_at(const ParameterBytes& parameters, std::uint64_t offset);
/// Whether the word at `offset` is the only one that points into the memory.
[[nodiscard]] bool is_only_pointer(const ParameterBytes& parameters, std::uint64_t offset, const Allocation& memory);

/// LaunchContext::non_temporal: the parameters whose memory the kernel writes with non-temporal stores.
[[nodiscard]] std::uint32_t non_temporal_memory(const jit::CompiledKernel& kernel, const LaunchRequest& request);

} // namespace warplight::software
