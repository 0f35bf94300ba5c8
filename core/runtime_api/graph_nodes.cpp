// SPDX-License-Identifier: Apache-2.0
#include "runtime_api/graph_nodes.hpp"

#include "runtime_api/copies.hpp"
#include "runtime_api/registry.hpp"

#include <vector>

namespace warplight::runtime_api {

namespace {

CUcontext context_here(const Functions& f) {
    CUcontext context = nullptr;
    check(f.fn_cuCtxGetCurrent(&context));
    return context;
}

CUDA_KERNEL_NODE_PARAMS_v1 driver_kernel(const Functions& f, const KernelParameters& k) {
    CUDA_KERNEL_NODE_PARAMS_v1 d{};
    check(f.fn_cuKernelGetFunction(&d.func, resolve_kernel(f, k.function)));
    d.gridDimX = k.grid.x;
    d.gridDimY = k.grid.y;
    d.gridDimZ = k.grid.z;
    d.blockDimX = k.block.x;
    d.blockDimY = k.block.y;
    d.blockDimZ = k.block.z;
    d.sharedMemBytes = k.shared;
    d.kernelParams = k.parameters;
    d.extra = k.extra;
    return d;
}

CUDA_MEMSET_NODE_PARAMS_v1 driver_memset(const MemsetParameters& m) {
    CUDA_MEMSET_NODE_PARAMS_v1 d{};
    d.dst = reinterpret_cast<CUdeviceptr>(m.target);
    d.pitch = m.pitch;
    d.value = m.value;
    d.elementSize = m.element_size;
    d.width = m.width;
    d.height = m.height;
    return d;
}

CUDA_HOST_NODE_PARAMS_v1 driver_host(const HostParameters& h) {
    CUDA_HOST_NODE_PARAMS_v1 d{};
    d.fn = h.function;
    d.userData = h.data;
    return d;
}

void check_symbol_kind(int kind, CopyKind direction) {
    require(kind == direction || kind == copy_device_to_device || kind == copy_default,
            cudaErrorInvalidMemcpyDirection);
}
CUDA_MEMCPY3D to_symbol(const Functions& f, const void* symbol, const void* source, std::size_t count,
                        std::size_t offset, int kind) {
    check_symbol_kind(kind, copy_host_to_device);
    return driver_copy(symbol_part(f, symbol, count, offset), source, count, kind);
}
CUDA_MEMCPY3D from_symbol(const Functions& f, void* target, const void* symbol, std::size_t count, std::size_t offset,
                          int kind) {
    check_symbol_kind(kind, copy_device_to_host);
    return driver_copy(target, symbol_part(f, symbol, count, offset), count, kind);
}

CUresult add_copy(const Functions& f, GraphNode* node, Graph graph, const GraphNode* dependencies, std::size_t count,
                  const CUDA_MEMCPY3D& copy) {
    return f.fn_cuGraphAddMemcpyNode(node, graph, dependencies, count, &copy, context_here(f));
}
CUresult set_copy(const Functions& f, GraphExec exec, GraphNode node, const CUDA_MEMCPY3D& copy) {
    return f.fn_cuGraphExecMemcpyNodeSetParams(exec, node, &copy, context_here(f));
}

} // namespace

#define WL_ADD_NODE(name, ...)                                                                                         \
    WL_RUNTIME(name, (GraphNode * node, Graph graph, const GraphNode* dependencies, std::size_t count, __VA_ARGS__))

// Kernels.
WL_ADD_NODE(cudaGraphAddKernelNode, const KernelParameters* parameters) {
    return call([&](const Functions& f) {
        require(parameters);
        const auto d = driver_kernel(f, *parameters);
        return f.fn_cuGraphAddKernelNode(node, graph, dependencies, count, &d);
    });
}
WL_RUNTIME(cudaGraphKernelNodeGetParams, (GraphNode node, KernelParameters* parameters)) {
    return call([&](const Functions& f) {
        require(parameters);
        driver::KernelNodeParams d;
        check(f.fn_cuGraphKernelNodeGetParams_v2(node, &d));
        // One of the two says which kernel it is.
        const auto function = d.func ? d.func : static_cast<CUfunction>(d.kern);
        *parameters = {host_function_of(f, function),
                       {d.grid[0], d.grid[1], d.grid[2]},
                       {d.block[0], d.block[1], d.block[2]},
                       d.shared,
                       d.parameters,
                       d.extra};
        return cudaSuccess;
    });
}
WL_RUNTIME(cudaGraphKernelNodeSetParams, (GraphNode node, const KernelParameters* parameters)) {
    return call([&](const Functions& f) {
        require(parameters);
        const auto d = driver_kernel(f, *parameters);
        return f.fn_cuGraphKernelNodeSetParams(node, &d);
    });
}
WL_RUNTIME(cudaGraphExecKernelNodeSetParams, (GraphExec exec, GraphNode node, const KernelParameters* parameters)) {
    return call([&](const Functions& f) {
        require(parameters);
        const auto d = driver_kernel(f, *parameters);
        return f.fn_cuGraphExecKernelNodeSetParams(exec, node, &d);
    });
}
WL_RUNTIME(cudaGraphKernelNodeCopyAttributes, (GraphNode first, GraphNode second)) {
    return call([&](const Functions& f) { return f.fn_cuGraphKernelNodeCopyAttributes(first, second); });
}
WL_RUNTIME(cudaGraphKernelNodeGetAttribute, (GraphNode node, int attribute, CUkernelNodeAttrValue* value)) {
    return call([&](const Functions& f) {
        require(value); // NVIDIA's driver does not look
        return f.fn_cuGraphKernelNodeGetAttribute(node, static_cast<CUkernelNodeAttrID>(attribute), value);
    });
}
WL_RUNTIME(cudaGraphKernelNodeSetAttribute, (GraphNode node, int attribute, const CUkernelNodeAttrValue* value)) {
    return call([&](const Functions& f) {
        require(value);
        return f.fn_cuGraphKernelNodeSetAttribute(node, static_cast<CUkernelNodeAttrID>(attribute), value);
    });
}

// Copies.
WL_ADD_NODE(cudaGraphAddMemcpyNode, const Copy3D* parameters) {
    return call([&](const Functions& f) {
        require(parameters);
        return add_copy(f, node, graph, dependencies, count, driver_copy(f, *parameters));
    });
}
WL_ADD_NODE(cudaGraphAddMemcpyNode1D, void* target, const void* source, std::size_t bytes, int kind) {
    return call([&](const Functions& f) {
        return add_copy(f, node, graph, dependencies, count, driver_copy(target, source, bytes, kind));
    });
}
WL_ADD_NODE(cudaGraphAddMemcpyNodeToSymbol, const void* symbol, const void* source, std::size_t bytes,
            std::size_t offset, int kind) {
    return call([&](const Functions& f) {
        return add_copy(f, node, graph, dependencies, count, to_symbol(f, symbol, source, bytes, offset, kind));
    });
}
WL_ADD_NODE(cudaGraphAddMemcpyNodeFromSymbol, void* target, const void* symbol, std::size_t bytes, std::size_t offset,
            int kind) {
    return call([&](const Functions& f) {
        return add_copy(f, node, graph, dependencies, count, from_symbol(f, target, symbol, bytes, offset, kind));
    });
}
WL_RUNTIME(cudaGraphMemcpyNodeGetParams, (GraphNode node, Copy3D* parameters)) {
    return call([&](const Functions& f) {
        require(parameters);
        CUDA_MEMCPY3D d{};
        check(f.fn_cuGraphMemcpyNodeGetParams(node, &d));
        *parameters = runtime_copy(f, d);
        return cudaSuccess;
    });
}
WL_RUNTIME(cudaGraphMemcpyNodeSetParams, (GraphNode node, const Copy3D* parameters)) {
    return call([&](const Functions& f) {
        require(parameters);
        const CUDA_MEMCPY3D d = driver_copy(f, *parameters);
        return f.fn_cuGraphMemcpyNodeSetParams(node, &d);
    });
}
WL_RUNTIME(cudaGraphMemcpyNodeSetParams1D,
           (GraphNode node, void* target, const void* source, std::size_t bytes, int kind)) {
    return call([&](const Functions& f) {
        const CUDA_MEMCPY3D d = driver_copy(target, source, bytes, kind);
        return f.fn_cuGraphMemcpyNodeSetParams(node, &d);
    });
}
WL_RUNTIME(cudaGraphMemcpyNodeSetParamsToSymbol,
           (GraphNode node, const void* symbol, const void* source, std::size_t bytes, std::size_t offset, int kind)) {
    return call([&](const Functions& f) {
        const CUDA_MEMCPY3D d = to_symbol(f, symbol, source, bytes, offset, kind);
        return f.fn_cuGraphMemcpyNodeSetParams(node, &d);
    });
}
WL_RUNTIME(cudaGraphMemcpyNodeSetParamsFromSymbol,
           (GraphNode node, void* target, const void* symbol, std::size_t bytes, std::size_t offset, int kind)) {
    return call([&](const Functions& f) {
        const CUDA_MEMCPY3D d = from_symbol(f, target, symbol, bytes, offset, kind);
        return f.fn_cuGraphMemcpyNodeSetParams(node, &d);
    });
}
WL_RUNTIME(cudaGraphExecMemcpyNodeSetParams, (GraphExec exec, GraphNode node, const Copy3D* parameters)) {
    return call([&](const Functions& f) {
        require(parameters);
        return set_copy(f, exec, node, driver_copy(f, *parameters));
    });
}
WL_RUNTIME(cudaGraphExecMemcpyNodeSetParams1D,
           (GraphExec exec, GraphNode node, void* target, const void* source, std::size_t bytes, int kind)) {
    return call([&](const Functions& f) { return set_copy(f, exec, node, driver_copy(target, source, bytes, kind)); });
}
WL_RUNTIME(cudaGraphExecMemcpyNodeSetParamsToSymbol,
           (GraphExec exec, GraphNode node, const void* symbol, const void* source, std::size_t bytes,
            std::size_t offset, int kind)) {
    return call(
        [&](const Functions& f) { return set_copy(f, exec, node, to_symbol(f, symbol, source, bytes, offset, kind)); });
}
WL_RUNTIME(cudaGraphExecMemcpyNodeSetParamsFromSymbol,
           (GraphExec exec, GraphNode node, void* target, const void* symbol, std::size_t bytes, std::size_t offset,
            int kind)) {
    return call([&](const Functions& f) {
        return set_copy(f, exec, node, from_symbol(f, target, symbol, bytes, offset, kind));
    });
}

// Fills.
WL_ADD_NODE(cudaGraphAddMemsetNode, const MemsetParameters* parameters) {
    return call([&](const Functions& f) {
        require(parameters);
        const auto d = driver_memset(*parameters);
        return f.fn_cuGraphAddMemsetNode(node, graph, dependencies, count, &d, context_here(f));
    });
}
WL_RUNTIME(cudaGraphMemsetNodeGetParams, (GraphNode node, MemsetParameters* parameters)) {
    return call([&](const Functions& f) {
        require(parameters);
        CUDA_MEMSET_NODE_PARAMS_v1 d{};
        check(f.fn_cuGraphMemsetNodeGetParams(node, &d));
        *parameters = {reinterpret_cast<void*>(d.dst), d.pitch, d.value, d.elementSize, d.width, d.height};
        return cudaSuccess;
    });
}
WL_RUNTIME(cudaGraphMemsetNodeSetParams, (GraphNode node, const MemsetParameters* parameters)) {
    return call([&](const Functions& f) {
        require(parameters);
        const auto d = driver_memset(*parameters);
        return f.fn_cuGraphMemsetNodeSetParams(node, &d);
    });
}
WL_RUNTIME(cudaGraphExecMemsetNodeSetParams, (GraphExec exec, GraphNode node, const MemsetParameters* parameters)) {
    return call([&](const Functions& f) {
        require(parameters);
        const auto d = driver_memset(*parameters);
        return f.fn_cuGraphExecMemsetNodeSetParams(exec, node, &d, context_here(f));
    });
}

// Functions of the host.
WL_ADD_NODE(cudaGraphAddHostNode, const HostParameters* parameters) {
    return call([&](const Functions& f) {
        require(parameters);
        const auto d = driver_host(*parameters);
        return f.fn_cuGraphAddHostNode(node, graph, dependencies, count, &d);
    });
}
WL_RUNTIME(cudaGraphHostNodeGetParams, (GraphNode node, HostParameters* parameters)) {
    return call([&](const Functions& f) { return f.fn_cuGraphHostNodeGetParams(node, parameters); });
}
WL_RUNTIME(cudaGraphHostNodeSetParams, (GraphNode node, const HostParameters* parameters)) {
    return call([&](const Functions& f) {
        require(parameters);
        const auto d = driver_host(*parameters);
        return f.fn_cuGraphHostNodeSetParams(node, &d);
    });
}
WL_RUNTIME(cudaGraphExecHostNodeSetParams, (GraphExec exec, GraphNode node, const HostParameters* parameters)) {
    return call([&](const Functions& f) {
        require(parameters);
        const auto d = driver_host(*parameters);
        return f.fn_cuGraphExecHostNodeSetParams(exec, node, &d);
    });
}

// Other graphs, and nothing at all.
WL_ADD_NODE(cudaGraphAddChildGraphNode, Graph child) {
    return call(
        [&](const Functions& f) { return f.fn_cuGraphAddChildGraphNode(node, graph, dependencies, count, child); });
}
WL_RUNTIME(cudaGraphChildGraphNodeGetGraph, (GraphNode node, Graph* graph)) {
    return call([&](const Functions& f) { return f.fn_cuGraphChildGraphNodeGetGraph(node, graph); });
}
WL_RUNTIME(cudaGraphExecChildGraphNodeSetParams, (GraphExec exec, GraphNode node, Graph child)) {
    return call([&](const Functions& f) { return f.fn_cuGraphExecChildGraphNodeSetParams(exec, node, child); });
}
WL_RUNTIME(cudaGraphAddEmptyNode, (GraphNode * node, Graph graph, const GraphNode* dependencies, std::size_t count)) {
    return call([&](const Functions& f) { return f.fn_cuGraphAddEmptyNode(node, graph, dependencies, count); });
}

// Events.
WL_ADD_NODE(cudaGraphAddEventRecordNode, Event event) {
    return call(
        [&](const Functions& f) { return f.fn_cuGraphAddEventRecordNode(node, graph, dependencies, count, event); });
}
WL_RUNTIME(cudaGraphEventRecordNodeGetEvent, (GraphNode node, Event* event)) {
    return call([&](const Functions& f) { return f.fn_cuGraphEventRecordNodeGetEvent(node, event); });
}
WL_RUNTIME(cudaGraphEventRecordNodeSetEvent, (GraphNode node, Event event)) {
    return call([&](const Functions& f) { return f.fn_cuGraphEventRecordNodeSetEvent(node, event); });
}
WL_RUNTIME(cudaGraphExecEventRecordNodeSetEvent, (GraphExec exec, GraphNode node, Event event)) {
    return call([&](const Functions& f) { return f.fn_cuGraphExecEventRecordNodeSetEvent(exec, node, event); });
}
WL_ADD_NODE(cudaGraphAddEventWaitNode, Event event) {
    return call(
        [&](const Functions& f) { return f.fn_cuGraphAddEventWaitNode(node, graph, dependencies, count, event); });
}
WL_RUNTIME(cudaGraphEventWaitNodeGetEvent, (GraphNode node, Event* event)) {
    return call([&](const Functions& f) { return f.fn_cuGraphEventWaitNodeGetEvent(node, event); });
}
WL_RUNTIME(cudaGraphEventWaitNodeSetEvent, (GraphNode node, Event event)) {
    return call([&](const Functions& f) { return f.fn_cuGraphEventWaitNodeSetEvent(node, event); });
}
WL_RUNTIME(cudaGraphExecEventWaitNodeSetEvent, (GraphExec exec, GraphNode node, Event event)) {
    return call([&](const Functions& f) { return f.fn_cuGraphExecEventWaitNodeSetEvent(exec, node, event); });
}

// Memory.
WL_ADD_NODE(cudaGraphAddMemAllocNode, CUDA_MEM_ALLOC_NODE_PARAMS* parameters) {
    return call(
        [&](const Functions& f) { return f.fn_cuGraphAddMemAllocNode(node, graph, dependencies, count, parameters); });
}
WL_RUNTIME(cudaGraphMemAllocNodeGetParams, (GraphNode node, CUDA_MEM_ALLOC_NODE_PARAMS* parameters)) {
    return call([&](const Functions& f) { return f.fn_cuGraphMemAllocNodeGetParams(node, parameters); });
}
WL_ADD_NODE(cudaGraphAddMemFreeNode, void* pointer) {
    return call([&](const Functions& f) {
        return f.fn_cuGraphAddMemFreeNode(node, graph, dependencies, count, reinterpret_cast<CUdeviceptr>(pointer));
    });
}
WL_RUNTIME(cudaGraphMemFreeNodeGetParams, (GraphNode node, void* pointer)) {
    return call(
        [&](const Functions& f) { return f.fn_cuGraphMemFreeNodeGetParams(node, static_cast<CUdeviceptr*>(pointer)); });
}

// Semaphores of other interfaces.
WL_ADD_NODE(cudaGraphAddExternalSemaphoresSignalNode, const void* parameters) {
    return call([&](const Functions& f) {
        return f.fn_cuGraphAddExternalSemaphoresSignalNode(node, graph, dependencies, count, parameters);
    });
}
WL_ADD_NODE(cudaGraphAddExternalSemaphoresWaitNode, const void* parameters) {
    return call([&](const Functions& f) {
        return f.fn_cuGraphAddExternalSemaphoresWaitNode(node, graph, dependencies, count, parameters);
    });
}
WL_RUNTIME(cudaGraphExternalSemaphoresSignalNodeGetParams, (GraphNode node, void* parameters)) {
    return call(
        [&](const Functions& f) { return f.fn_cuGraphExternalSemaphoresSignalNodeGetParams(node, parameters); });
}
WL_RUNTIME(cudaGraphExternalSemaphoresWaitNodeGetParams, (GraphNode node, void* parameters)) {
    return call([&](const Functions& f) { return f.fn_cuGraphExternalSemaphoresWaitNodeGetParams(node, parameters); });
}
WL_RUNTIME(cudaGraphExternalSemaphoresSignalNodeSetParams, (GraphNode node, const void* parameters)) {
    return call(
        [&](const Functions& f) { return f.fn_cuGraphExternalSemaphoresSignalNodeSetParams(node, parameters); });
}
WL_RUNTIME(cudaGraphExternalSemaphoresWaitNodeSetParams, (GraphNode node, const void* parameters)) {
    return call([&](const Functions& f) { return f.fn_cuGraphExternalSemaphoresWaitNodeSetParams(node, parameters); });
}
WL_RUNTIME(cudaGraphExecExternalSemaphoresSignalNodeSetParams,
           (GraphExec exec, GraphNode node, const void* parameters)) {
    return call([&](const Functions& f) {
        return f.fn_cuGraphExecExternalSemaphoresSignalNodeSetParams(exec, node, parameters);
    });
}
WL_RUNTIME(cudaGraphExecExternalSemaphoresWaitNodeSetParams, (GraphExec exec, GraphNode node, const void* parameters)) {
    return call([&](const Functions& f) {
        return f.fn_cuGraphExecExternalSemaphoresWaitNodeSetParams(exec, node, parameters);
    });
}

namespace {

/// Nodes by their number; CUgraphNodeType of 11 has not all of them.
enum NodeType : int {
    node_kernel = 0,
    node_memcpy = 1,
    node_memset = 2,
    node_host = 3,
    node_graph = 4,
    node_empty = 5,
    node_wait_event = 6,
    node_event_record = 7,
    node_signal_semaphores = 8,
    node_wait_semaphores = 9,
    node_mem_alloc = 10,
    node_mem_free = 11,
    node_conditional = 13,
};

/// CUgraphNodeParams of a conditional node.
struct DriverConditional {
    int type = node_conditional;
    int reserved[3] = {};
    unsigned long long handle = 0;
    int kind = 0;
    unsigned size = 0;
    Graph* graphs = nullptr;
    CUcontext context = nullptr;
    long long rest[25] = {};
    long long reserved2 = 0;
};
static_assert(sizeof(DriverConditional) == 256);

Error add_plain_node(GraphNode* node, Graph graph, const GraphNode* dependencies, std::size_t count,
                     NodeParameters& p) {
    switch (p.type) {
    case node_kernel: return cudaGraphAddKernelNode(node, graph, dependencies, count, &p.kernel);
    case node_memcpy: return cudaGraphAddMemcpyNode(node, graph, dependencies, count, &p.memcpy.copy);
    case node_memset: return cudaGraphAddMemsetNode(node, graph, dependencies, count, &p.memset);
    case node_host: return cudaGraphAddHostNode(node, graph, dependencies, count, &p.host);
    case node_graph: return cudaGraphAddChildGraphNode(node, graph, dependencies, count, p.child.graph);
    case node_empty: return cudaGraphAddEmptyNode(node, graph, dependencies, count);
    case node_wait_event: return cudaGraphAddEventWaitNode(node, graph, dependencies, count, p.event);
    case node_event_record: return cudaGraphAddEventRecordNode(node, graph, dependencies, count, p.event);
    case node_signal_semaphores:
        return cudaGraphAddExternalSemaphoresSignalNode(node, graph, dependencies, count, &p.size);
    case node_wait_semaphores: return cudaGraphAddExternalSemaphoresWaitNode(node, graph, dependencies, count, &p.size);
    case node_mem_alloc: return cudaGraphAddMemAllocNode(node, graph, dependencies, count, &p.alloc);
    case node_mem_free: return cudaGraphAddMemFreeNode(node, graph, dependencies, count, p.free);
    default: return cudaErrorInvalidValue;
    }
}

} // namespace

Error add_node(const Functions& f, GraphNode* node, Graph graph, const GraphNode* dependencies,
               const GraphEdgeData* edges, std::size_t count, NodeParameters* parameters) {
    require(node && parameters && (dependencies || count == 0));
    if (parameters->type == node_conditional) {
        DriverConditional d;
        d.handle = parameters->conditional.handle;
        d.kind = parameters->conditional.type;
        d.size = parameters->conditional.size;
        d.context = context_here(f);
        const CUresult code = f.fn_cuGraphAddNode_v2(node, graph, dependencies, edges, count, &d);
        parameters->conditional.graphs = d.graphs;
        return static_cast<Error>(code);
    }
    if (parameters->type == node_graph && parameters->child.ownership != 0) // the driver's structure is the same here
        return static_cast<Error>(f.fn_cuGraphAddNode_v2(node, graph, dependencies, edges, count, parameters));
    if (!edges) return add_plain_node(node, graph, dependencies, count, *parameters);
    check(add_plain_node(node, graph, nullptr, 0, *parameters));
    const std::vector<GraphNode> itself(count, *node);
    const CUresult code = f.fn_cuGraphAddDependencies_v2(graph, dependencies, itself.data(), edges, count);
    if (code != CUDA_SUCCESS) {
        (void)f.fn_cuGraphDestroyNode(*node);
        *node = nullptr;
    }
    return static_cast<Error>(code);
}

WL_RUNTIME(cudaGraphNodeSetParams, (GraphNode node, NodeParameters* p)) {
    if (!p) return record(cudaErrorInvalidValue);
    switch (p->type) {
    case node_kernel: return cudaGraphKernelNodeSetParams(node, &p->kernel);
    case node_memcpy: return cudaGraphMemcpyNodeSetParams(node, &p->memcpy.copy);
    case node_memset: return cudaGraphMemsetNodeSetParams(node, &p->memset);
    case node_host: return cudaGraphHostNodeSetParams(node, &p->host);
    case node_wait_event: return cudaGraphEventWaitNodeSetEvent(node, p->event);
    case node_event_record: return cudaGraphEventRecordNodeSetEvent(node, p->event);
    case node_signal_semaphores: return cudaGraphExternalSemaphoresSignalNodeSetParams(node, &p->size);
    case node_wait_semaphores: return cudaGraphExternalSemaphoresWaitNodeSetParams(node, &p->size);
    default: return record(cudaErrorInvalidValue); // the others cannot be changed
    }
}
WL_RUNTIME(cudaGraphExecNodeSetParams, (GraphExec exec, GraphNode node, NodeParameters* p)) {
    if (!p) return record(cudaErrorInvalidValue);
    switch (p->type) {
    case node_kernel: return cudaGraphExecKernelNodeSetParams(exec, node, &p->kernel);
    case node_memcpy: return cudaGraphExecMemcpyNodeSetParams(exec, node, &p->memcpy.copy);
    case node_memset: return cudaGraphExecMemsetNodeSetParams(exec, node, &p->memset);
    case node_host: return cudaGraphExecHostNodeSetParams(exec, node, &p->host);
    case node_graph: return cudaGraphExecChildGraphNodeSetParams(exec, node, p->child.graph);
    case node_wait_event: return cudaGraphExecEventWaitNodeSetEvent(exec, node, p->event);
    case node_event_record: return cudaGraphExecEventRecordNodeSetEvent(exec, node, p->event);
    case node_signal_semaphores: return cudaGraphExecExternalSemaphoresSignalNodeSetParams(exec, node, &p->size);
    case node_wait_semaphores: return cudaGraphExecExternalSemaphoresWaitNodeSetParams(exec, node, &p->size);
    default: return record(cudaErrorInvalidValue);
    }
}

} // namespace warplight::runtime_api
