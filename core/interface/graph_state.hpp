// SPDX-License-Identifier: Apache-2.0
// What stands behind graphs, and the driver's structures for what their nodes do.
#pragma once

#include "interface/native_arguments.hpp"
#include "warplight/graph.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace warplight::driver::detail {

struct GraphState {
    ContextPointer context;
    CUgraph handle = nullptr;
    unsigned number = 0;
    /// Of the graph that this one is a node of; null for graphs of their own.
    std::shared_ptr<GraphState> parent;
    bool owned = true;
    std::set<CUgraphNode> destroyed; ///< handles that nodes had
    ~GraphState();
    std::string describe() const { return "graph " + std::to_string(number) + " in " + context->describe(); }
    const DriverState& driver() const { return *context->driver; }
};

struct GraphExecState {
    std::shared_ptr<GraphState> graph; ///< names of nodes go on being known
    CUgraphExec handle = nullptr;
    /// Functions that were set here, and may be running.
    std::vector<std::shared_ptr<Callback<void()>>> functions;
    ~GraphExecState();
    std::string describe() const { return "executable " + graph->describe(); }
};

std::shared_ptr<GraphState> make_graph_state(ContextPointer context, CUgraph handle);

/// A kernel node's parameters. Keeps what they point to.
class KernelParameters {
public:
    KernelParameters(const Function& function, const LaunchConfig& config, std::span<const Argument> arguments);
    CUDA_KERNEL_NODE_PARAMS_v1 parameters{};

private:
    std::vector<Argument> fitted_;
    std::optional<NativeArguments> native_;
};
/// Sets those of config's attributes that kernel nodes have.
void set_kernel_attributes(const GraphState& graph, CUgraphNode node, const LaunchConfig& config);

CUDA_MEMCPY3D copy_htod(DevicePointer dest, ConstBuffer src);
CUDA_MEMCPY3D copy_dtoh(MutableBuffer dest, DevicePointer src);
CUDA_MEMCPY3D copy_dtod(DevicePointer dest, DevicePointer src, std::size_t bytes);
CUDA_MEMSET_NODE_PARAMS fill_parameters(const GraphNode::Fill& fill);
std::vector<CUstreamBatchMemOpParams> to_native(std::span<const MemoryOperation> operations);

/// Calls a Callback<void()>; nothing thrown leaves it.
void CUDA_CB call_function(void* function);
/// The function is kept by the driver as long as the graph, and what is made of it, can call it.
CUDA_HOST_NODE_PARAMS keep_function(const DriverState& driver, CUgraph graph, Callback<void()> function,
                                    const std::string& entity);

} // namespace warplight::driver::detail
