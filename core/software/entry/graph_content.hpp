// SPDX-License-Identifier: Apache-2.0
// Contents of graph nodes, made from the parameters of entry points.
#pragma once

#include "entry.hpp"

#include "../runtime/graph.hpp"

#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace warplight::software {

#if CUDA_VERSION >= 12030
using AbiEdgeData = ::CUgraphEdgeData;
#else
using AbiEdgeData = driver::GraphEdgeData;
#endif
#if CUDA_VERSION >= 12000
using AbiKernelParams = ::CUDA_KERNEL_NODE_PARAMS;
#else
using AbiKernelParams = driver::KernelNodeParams;
#endif
static_assert(sizeof(AbiEdgeData) == sizeof(EdgeData) && sizeof(AbiKernelParams) == sizeof(driver::KernelNodeParams));

using Content = std::shared_ptr<const NodeContent>;
using LaunchAttributes = std::map<int, CUlaunchAttributeValue>; ///< by CUlaunchAttributeID

// These check their parameters and throw the driver's codes.

/// For launches and kernel nodes. Throws for attributes that the device lacks, and for numbers that are no attribute.
void check_launch_attribute(int attribute, const CUlaunchAttributeValue& value);
/// The request has been checked, and the kernel compiled.
[[nodiscard]] Content kernel_content(LaunchRequest request, CUfunction handle, LaunchAttributes attributes);
[[nodiscard]] Content kernel_content(const driver::KernelNodeParams& parameters, const LaunchAttributes& attributes);
[[nodiscard]] Content copy_content(const CUDA_MEMCPY3D& parameters, std::shared_ptr<Context> context);
[[nodiscard]] Content fill_content(const CUDA_MEMSET_NODE_PARAMS& parameters, std::shared_ptr<Context> context);
[[nodiscard]] Content host_content(const CUDA_HOST_NODE_PARAMS& parameters);
[[nodiscard]] Content child_content(std::shared_ptr<Graph> graph);
[[nodiscard]] Content event_content(CUgraphNodeType type, CUevent event);
/// Sets the address in `parameters`.
[[nodiscard]] Content allocation_content(CUDA_MEM_ALLOC_NODE_PARAMS& parameters);
[[nodiscard]] Content free_content(CUdeviceptr address);
[[nodiscard]] Content memory_operations_content(std::shared_ptr<Context> context,
                                                std::vector<CUstreamBatchMemOpParams> operations, unsigned flags);
[[nodiscard]] Content empty_content();

/// The context of a handle; the current one for null.
[[nodiscard]] std::shared_ptr<Context> node_context(CUcontext handle);
/// Edges to the nodes, which may be null for none; so may the data.
[[nodiscard]] std::vector<GraphEdge> edges_of(const CUgraphNode* nodes, const EdgeData* data, std::size_t count);

// memcpy.cpp
/// A checked copy. `waits` becomes true where pageable memory takes part.
[[nodiscard]] std::function<void()> prepare_copy(const CUDA_MEMCPY3D& parameters, bool& waits);
/// A copy in one dimension.
[[nodiscard]] CUDA_MEMCPY3D linear_copy(void* to, const void* from, std::size_t count);
// memset.cpp
/// A checked fill; nothing to do for no elements.
[[nodiscard]] std::function<void()> prepare_fill(const CUDA_MEMSET_NODE_PARAMS& parameters);

} // namespace warplight::software
