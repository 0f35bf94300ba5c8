// SPDX-License-Identifier: Apache-2.0
// Launches: what is asked for, checked, and carried out on all workers.
#pragma once

#include "module.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace warplight::software {

class Context;
class Grid;

struct LaunchRequest {
    FunctionReference function;
    std::array<unsigned, 3> grid{1, 1, 1};
    std::array<unsigned, 3> block{1, 1, 1};
    std::uint64_t dynamic_shared = 0;
    bool cooperative = false;
    std::optional<std::array<unsigned, 3>> cluster; ///< blocks of a cluster, where the launch asks for them
    std::vector<std::byte> parameters;              ///< packed as the kernel's ParameterLayout says
};

/// Packs the arguments of cuLaunchKernel. Throws CUDA_ERROR_INVALID_VALUE.
[[nodiscard]] std::vector<std::byte> pack_parameters(const Function& function, void* const* pointers,
                                                     void* const* extra);

/// Blocks of a cluster, from the launch or the kernel; nothing: no clusters. Throws CUDA_ERROR_INVALID_CLUSTER_SIZE
/// where they do not go with each other, the grid or the device.
[[nodiscard]] std::optional<std::array<unsigned, 3>> cluster_of(const LaunchRequest& request);
/// Throws the code that the driver answers an impossible launch with.
/// What functions have by themselves and may be changed later, clusters, becomes part of the request.
void check_launch(LaunchRequest& request);

/// Runs the kernel, and what it launches, to the end on the workers. Throws Failure with the kernel's fault.
void run_launch(Context& context, const LaunchRequest& request);

/// Does nothing: calling it links the services, which only compiled code refers to.
void link_services();

/// A launch that runs, as services find it through LaunchContext::launch.
struct RunningLaunch {
    Context& context;
    Grid& grid;
};

} // namespace warplight::software
