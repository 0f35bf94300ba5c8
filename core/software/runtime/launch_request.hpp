// SPDX-License-Identifier: Apache-2.0
// A launch that is asked for, and whether it is possible.
#pragma once

#include "module.hpp"
#include "parameter_bytes.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace warplight::software {

struct AskedLaunch;

struct LaunchRequest {
    FunctionReference function;
    std::array<unsigned, 3> grid{1, 1, 1};
    std::array<unsigned, 3> block{1, 1, 1};
    std::uint64_t dynamic_shared = 0;
    bool cooperative = false;
    std::optional<std::array<unsigned, 3>> cluster; ///< blocks of a cluster, where the launch asks for them
    ParameterBytes parameters;                      ///< packed as the kernel's ParameterLayout says
    std::shared_ptr<const AskedLaunch> asked;       ///< of a kernel's launch, where races are looked for
};

/// Packs the arguments of cuLaunchKernel. Throws CUDA_ERROR_INVALID_VALUE.
[[nodiscard]] ParameterBytes pack_parameters(const Function& function, void* const* pointers, void* const* extra);

/// Blocks of a cluster, from the launch or the kernel; nothing: no clusters. Throws CUDA_ERROR_INVALID_CLUSTER_SIZE
/// where they do not go with each other, the grid or the device.
[[nodiscard]] std::optional<std::array<unsigned, 3>> cluster_of(const LaunchRequest& request);
/// Throws the code that the driver answers an impossible launch with.
/// The cluster of the function, which may be changed later, becomes part of the request.
void check_launch(LaunchRequest& request);

} // namespace warplight::software
