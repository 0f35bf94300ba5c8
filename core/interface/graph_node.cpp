// SPDX-License-Identifier: Apache-2.0
#include "interface/graph_state.hpp"
#include "warplight/event.hpp"
#include "warplight/graph.hpp"

#include <cstring>
#include <memory>

namespace warplight::driver {

namespace {

using detail::GraphState;
using detail::Scope;

template <class Query>
std::vector<GraphNode> neighbours(const std::shared_ptr<GraphState>& graph, const Query& query) {
    std::size_t count = 0;
    query(nullptr, nullptr, &count);
    std::vector<CUgraphNode> handles(count);
    std::vector<GraphEdgeData> data(count);
    if (count > 0) query(handles.data(), data.data(), &count);
    std::vector<GraphNode> nodes;
    nodes.reserve(count);
    for (std::size_t i = 0; i < count; ++i)
        nodes.emplace_back(graph, handles[i]);
    return nodes;
}

const char* name_of(graph_node_type type) {
    switch (type) {
    case graph_node_type::KERNEL: return "kernel";
    case graph_node_type::MEMCPY: return "memcpy";
    case graph_node_type::MEMSET: return "memset";
    case graph_node_type::HOST: return "host";
    case graph_node_type::GRAPH: return "child graph";
    case graph_node_type::EMPTY: return "empty";
    case graph_node_type::WAIT_EVENT: return "event wait";
    case graph_node_type::EVENT_RECORD: return "event record";
    case graph_node_type::EXT_SEMAS_SIGNAL: return "semaphore signal";
    case graph_node_type::EXT_SEMAS_WAIT: return "semaphore wait";
    case graph_node_type::MEM_ALLOC: return "memory allocation";
    case graph_node_type::MEM_FREE: return "memory free";
    case graph_node_type::BATCH_MEM_OP: return "memory operation";
    case graph_node_type::CONDITIONAL: return "conditional";
    }
    return "unknown";
}

/// The node is of this type, and its context current.
class Typed {
public:
    Typed(const GraphNode& node, graph_node_type wanted) : scope_(*node.state().context) {
        if (const graph_node_type type = node.get_type(); type != wanted)
            throw_logic_error(std::string("this is not a ") + name_of(wanted) + " node", node.describe());
    }

private:
    Scope scope_;
};

CUDA_KERNEL_NODE_PARAMS_v1 kernel_of(const GraphNode& node) {
    const Typed typed(node, graph_node_type::KERNEL);
    CUDA_KERNEL_NODE_PARAMS_v1 parameters{};
    WARPLIGHT_CALL(node.state().driver(), cuGraphKernelNodeGetParams, node.describe(), node.handle(), &parameters);
    return parameters;
}

CUkernelNodeAttrValue attribute_of(const GraphNode& node, launch_attribute_id id) {
    const Typed typed(node, graph_node_type::KERNEL);
    CUkernelNodeAttrValue value{};
    WARPLIGHT_CALL(node.state().driver(), cuGraphKernelNodeGetAttribute, node.describe(), node.handle(),
                   static_cast<CUkernelNodeAttrID>(id), &value);
    return value;
}

void set_attribute(const GraphNode& node, launch_attribute_id id, const CUkernelNodeAttrValue& value) {
    const Typed typed(node, graph_node_type::KERNEL);
    WARPLIGHT_CALL(node.state().driver(), cuGraphKernelNodeSetAttribute, node.describe(), node.handle(),
                   static_cast<CUkernelNodeAttrID>(id), &value);
}

void set_copy(const GraphNode& node, const CUDA_MEMCPY3D& copy) {
    const Typed typed(node, graph_node_type::MEMCPY);
    WARPLIGHT_CALL(node.state().driver(), cuGraphMemcpyNodeSetParams, node.describe(), node.handle(), &copy);
}

} // namespace

std::string to_string(graph_node_type type) { return name_of(type); }

detail::GraphState& GraphNode::state() const {
    if (!graph_ || !handle_) throw_logic_error("this is no node");
    if (graph_->destroyed.contains(handle_)) throw_logic_error("the node has been destroyed", graph_->describe());
    return *graph_;
}

std::string GraphNode::describe() const {
    if (!graph_) return "no node";
    CUgraphNodeType type{};
    const auto get = graph_->driver().functions.fn_cuGraphNodeGetType;
    if (graph_->destroyed.contains(handle_) || !get || get(handle_, &type) != CUDA_SUCCESS)
        return "node of " + graph_->describe();
    return std::string(name_of(static_cast<graph_node_type>(type))) + " node of " + graph_->describe();
}

graph_node_type GraphNode::get_type() const {
    const GraphState& graph = state();
    const Scope scope(*graph.context);
    CUgraphNodeType type{};
    WARPLIGHT_CALL(graph.driver(), cuGraphNodeGetType, "node of " + graph.describe(), handle_, &type);
    return static_cast<graph_node_type>(type);
}

std::vector<GraphNode> GraphNode::get_dependencies() const {
    const GraphState& graph = state();
    const Scope scope(*graph.context);
    return neighbours(graph_, [&](CUgraphNode* nodes, GraphEdgeData* data, std::size_t* count) {
        if (graph.driver().functions.fn_cuGraphNodeGetDependencies_v2)
            WARPLIGHT_CALL(graph.driver(), cuGraphNodeGetDependencies_v2, describe(), handle_, nodes, data, count);
        else
            WARPLIGHT_CALL(graph.driver(), cuGraphNodeGetDependencies, describe(), handle_, nodes, count);
    });
}

std::vector<GraphNode> GraphNode::get_dependent_nodes() const {
    const GraphState& graph = state();
    const Scope scope(*graph.context);
    return neighbours(graph_, [&](CUgraphNode* nodes, GraphEdgeData* data, std::size_t* count) {
        if (graph.driver().functions.fn_cuGraphNodeGetDependentNodes_v2)
            WARPLIGHT_CALL(graph.driver(), cuGraphNodeGetDependentNodes_v2, describe(), handle_, nodes, data, count);
        else
            WARPLIGHT_CALL(graph.driver(), cuGraphNodeGetDependentNodes, describe(), handle_, nodes, count);
    });
}

Grid GraphNode::get_grid() const {
    const auto kernel = kernel_of(*this);
    return {kernel.gridDimX, kernel.gridDimY, kernel.gridDimZ};
}
Block GraphNode::get_block() const {
    const auto kernel = kernel_of(*this);
    return {kernel.blockDimX, kernel.blockDimY, kernel.blockDimZ};
}
std::size_t GraphNode::get_shared() const { return kernel_of(*this).sharedMemBytes; }
CUfunction GraphNode::get_function() const { return kernel_of(*this).func; }

std::vector<std::byte> GraphNode::get_argument(std::size_t index, std::size_t size) const {
    const auto kernel = kernel_of(*this);
    if (!kernel.kernelParams) throw_logic_error("the driver tells no arguments of this node", describe());
    std::vector<std::byte> bytes(size);
    std::memcpy(bytes.data(), kernel.kernelParams[index], size);
    return bytes;
}

void GraphNode::set_kernel_params(const Function& function, const LaunchConfig& config,
                                  std::span<const Argument> arguments) const {
    const Typed typed(*this, graph_node_type::KERNEL);
    const detail::KernelParameters kernel(function, config, arguments);
    WARPLIGHT_CALL(state().driver(), cuGraphKernelNodeSetParams, describe(), handle_, &kernel.parameters);
    detail::set_kernel_attributes(state(), handle_, config);
}

int GraphNode::get_priority() const { return attribute_of(*this, launch_attribute_id::PRIORITY).priority; }
void GraphNode::set_priority(int priority) const {
    CUkernelNodeAttrValue value{};
    value.priority = priority;
    set_attribute(*this, launch_attribute_id::PRIORITY, value);
}
bool GraphNode::get_cooperative() const {
    return attribute_of(*this, launch_attribute_id::COOPERATIVE).cooperative != 0;
}
void GraphNode::set_cooperative(bool cooperative) const {
    CUkernelNodeAttrValue value{};
    value.cooperative = cooperative;
    set_attribute(*this, launch_attribute_id::COOPERATIVE, value);
}

void GraphNode::copy_attributes(const GraphNode& source) const {
    const Typed typed(*this, graph_node_type::KERNEL);
    const Typed source_typed(source, graph_node_type::KERNEL);
    WARPLIGHT_CALL(state().driver(), cuGraphKernelNodeCopyAttributes, describe(), handle_, source.handle());
}

std::size_t GraphNode::get_memcpy_bytes() const {
    const Typed typed(*this, graph_node_type::MEMCPY);
    CUDA_MEMCPY3D copy{};
    WARPLIGHT_CALL(state().driver(), cuGraphMemcpyNodeGetParams, describe(), handle_, &copy);
    return copy.WidthInBytes * copy.Height * copy.Depth;
}
void GraphNode::set_memcpy_htod(DevicePointer dest, ConstBuffer src) const {
    set_copy(*this, detail::copy_htod(dest, src));
}
void GraphNode::set_memcpy_dtoh(MutableBuffer dest, DevicePointer src) const {
    set_copy(*this, detail::copy_dtoh(dest, src));
}
void GraphNode::set_memcpy_dtod(DevicePointer dest, DevicePointer src, std::size_t bytes) const {
    set_copy(*this, detail::copy_dtod(dest, src, bytes));
}

GraphNode::Fill GraphNode::get_memset() const {
    const Typed typed(*this, graph_node_type::MEMSET);
    CUDA_MEMSET_NODE_PARAMS p{};
    WARPLIGHT_CALL(state().driver(), cuGraphMemsetNodeGetParams, describe(), handle_, &p);
    return {p.dst, p.pitch, p.value, p.elementSize, p.width, p.height};
}
void GraphNode::set_memset(const Fill& fill) const {
    const Typed typed(*this, graph_node_type::MEMSET);
    const auto parameters = detail::fill_parameters(fill);
    WARPLIGHT_CALL(state().driver(), cuGraphMemsetNodeSetParams, describe(), handle_, &parameters);
}

void GraphNode::set_host_function(Callback<void()> function) const {
    const Typed typed(*this, graph_node_type::HOST);
    const auto parameters = detail::keep_function(state().driver(), state().handle, std::move(function), describe());
    WARPLIGHT_CALL(state().driver(), cuGraphHostNodeSetParams, describe(), handle_, &parameters);
}

Graph GraphNode::get_child_graph() const {
    const Typed typed(*this, graph_node_type::GRAPH);
    CUgraph child = nullptr;
    WARPLIGHT_CALL(state().driver(), cuGraphChildGraphNodeGetGraph, describe(), handle_, &child);
    auto child_state = detail::make_graph_state(graph_->context, child);
    child_state->owned = false;
    child_state->parent = graph_;
    return Graph(std::move(child_state));
}

CUevent GraphNode::get_event() const {
    const GraphState& graph = state();
    const Scope scope(*graph.context);
    CUevent event = nullptr;
    switch (get_type()) {
    case graph_node_type::EVENT_RECORD:
        WARPLIGHT_CALL(graph.driver(), cuGraphEventRecordNodeGetEvent, describe(), handle_, &event);
        break;
    case graph_node_type::WAIT_EVENT:
        WARPLIGHT_CALL(graph.driver(), cuGraphEventWaitNodeGetEvent, describe(), handle_, &event);
        break;
    default: throw_logic_error("this node has no event", describe());
    }
    return event;
}

void GraphNode::set_event(const Event& event) const {
    const GraphState& graph = state();
    const Scope scope(*graph.context);
    switch (get_type()) {
    case graph_node_type::EVENT_RECORD:
        WARPLIGHT_CALL(graph.driver(), cuGraphEventRecordNodeSetEvent, describe(), handle_, event.state().handle);
        break;
    case graph_node_type::WAIT_EVENT:
        WARPLIGHT_CALL(graph.driver(), cuGraphEventWaitNodeSetEvent, describe(), handle_, event.state().handle);
        break;
    default: throw_logic_error("this node has no event", describe());
    }
}

device_ptr GraphNode::get_address() const {
    const GraphState& graph = state();
    const Scope scope(*graph.context);
    device_ptr address = 0;
    switch (get_type()) {
    case graph_node_type::MEM_ALLOC: {
        CUDA_MEM_ALLOC_NODE_PARAMS parameters{};
        WARPLIGHT_CALL(graph.driver(), cuGraphMemAllocNodeGetParams, describe(), handle_, &parameters);
        address = parameters.dptr;
        break;
    }
    case graph_node_type::MEM_FREE:
        WARPLIGHT_CALL(graph.driver(), cuGraphMemFreeNodeGetParams, describe(), handle_, &address);
        break;
    default: throw_logic_error("this node has no memory", describe());
    }
    return address;
}

std::vector<MemoryOperation> GraphNode::get_memory_operations() const {
    const Typed typed(*this, graph_node_type::BATCH_MEM_OP);
    CUDA_BATCH_MEM_OP_NODE_PARAMS parameters{};
    WARPLIGHT_CALL(state().driver(), cuGraphBatchMemOpNodeGetParams, describe(), handle_, &parameters);
    std::vector<MemoryOperation> operations;
    for (unsigned i = 0; i < parameters.count; ++i) {
        const CUstreamBatchMemOpParams& p = parameters.paramArray[i];
        MemoryOperation operation;
        operation.type = static_cast<stream_batch_mem_op_type>(p.operation);
        if (operation.type == stream_batch_mem_op_type::FLUSH_REMOTE_WRITES ||
            operation.type == stream_batch_mem_op_type::BARRIER)
            operation.flags = p.flushRemoteWrites.flags;
        else
            operation = {operation.type, p.waitValue.address, p.waitValue.value64, p.waitValue.flags};
        if (operation.type == stream_batch_mem_op_type::WAIT_VALUE_32 ||
            operation.type == stream_batch_mem_op_type::WRITE_VALUE_32)
            operation.value = p.waitValue.value;
        operations.push_back(operation);
    }
    return operations;
}

void GraphNode::set_memory_operations(std::span<const MemoryOperation> operations) const {
    const Typed typed(*this, graph_node_type::BATCH_MEM_OP);
    auto native = detail::to_native(operations);
    CUDA_BATCH_MEM_OP_NODE_PARAMS parameters{};
    parameters.ctx = state().context->handle;
    parameters.count = static_cast<unsigned>(native.size());
    parameters.paramArray = native.data();
    WARPLIGHT_CALL(state().driver(), cuGraphBatchMemOpNodeSetParams, describe(), handle_, &parameters);
}

} // namespace warplight::driver
