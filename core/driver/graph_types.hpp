// SPDX-License-Identifier: Apache-2.0
// Structures of graph entry points that some supported version of cuda.h lacks; their layout is the driver's.
#pragma once

#include <cuda.h>

#include <cstdint>

namespace warplight::driver {

/// CUgraphEdgeData (12.3).
struct GraphEdgeData {
    std::uint8_t from_port = 0;
    std::uint8_t to_port = 0;
    std::uint8_t type = 0;
    std::uint8_t reserved[5] = {};
    friend bool operator==(const GraphEdgeData&, const GraphEdgeData&) = default;
};
static_assert(sizeof(GraphEdgeData) == 8);

/// CUDA_KERNEL_NODE_PARAMS_v2 (12.0).
struct KernelNodeParams {
    CUfunction func = nullptr;
    unsigned grid[3] = {1, 1, 1};
    unsigned block[3] = {1, 1, 1};
    unsigned shared = 0; ///< bytes
    void** parameters = nullptr;
    void** extra = nullptr;
    void* kern = nullptr; ///< CUkernel, looked at where func is null
    CUcontext ctx = nullptr;
};
static_assert(sizeof(KernelNodeParams) == 72);

/// CUDA_GRAPH_INSTANTIATE_PARAMS (12.0).
struct GraphInstantiateParams {
    std::uint64_t flags = 0;
    CUstream upload_stream = nullptr;
    CUgraphNode error_node = nullptr;
    int result = 0;
};
static_assert(sizeof(GraphInstantiateParams) == 32);

/// CUgraphExecUpdateResultInfo (12.0).
struct GraphExecUpdateResultInfo {
    int result = 0;
    CUgraphNode error_node = nullptr;
    CUgraphNode error_from_node = nullptr;
};
static_assert(sizeof(GraphExecUpdateResultInfo) == 24);

} // namespace warplight::driver
