// SPDX-License-Identifier: Apache-2.0
// Good calls: graphs.
#include "bad_input.hpp"

namespace bad_input {
namespace {

using warplight::driver::GraphEdgeData;
using warplight::driver::GraphExecUpdateResultInfo;
using warplight::driver::GraphInstantiateParams;

Slot kernel(Fixture& f) {
    CUDA_KERNEL_NODE_PARAMS_v1 p{};
    p.func = f.as<CUfunction>(Thing::function);
    p.gridDimX = p.gridDimY = p.gridDimZ = p.blockDimX = p.blockDimY = p.blockDimZ = 1;
    const Slot parameters = f.parameters();
    auto* list = f.scratch(parameters.blob.size());
    std::memcpy(list, parameters.blob.data(), parameters.blob.size());
    p.kernelParams = static_cast<void**>(list);
    return f.in(p, {offsetof(CUDA_KERNEL_NODE_PARAMS_v1, kernelParams), offsetof(CUDA_KERNEL_NODE_PARAMS_v1, extra)},
                {offsetof(CUDA_KERNEL_NODE_PARAMS_v1, func)});
}
Slot copy(Fixture& f) {
    CUDA_MEMCPY3D_v2 c{};
    c.srcMemoryType = c.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    c.srcDevice = f.get(Thing::memory);
    c.dstDevice = c.srcDevice + 4096;
    c.WidthInBytes = c.srcPitch = c.dstPitch = 64;
    c.Height = c.Depth = c.srcHeight = c.dstHeight = 1;
    return f.in(c);
}
Slot fill(Fixture& f) {
    CUDA_MEMSET_NODE_PARAMS_v1 p{};
    p.dst = f.get(Thing::memory);
    p.pitch = 64;
    p.elementSize = 4;
    p.width = 16;
    p.height = 1;
    return f.in(p);
}
void CUDA_CB host_function(void*) {}
Slot host(Fixture& f) {
    CUDA_HOST_NODE_PARAMS_v1 p{};
    p.fn = &host_function;
    return f.in(p, {0, 8});
}
Slot batch(Fixture& f) {
    auto* operation = static_cast<CUstreamBatchMemOpParams*>(f.scratch(sizeof(CUstreamBatchMemOpParams)));
    operation->writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
    operation->writeValue.address = f.get(Thing::memory);
    CUDA_BATCH_MEM_OP_NODE_PARAMS p{};
    p.ctx = f.context();
    p.count = 1;
    p.paramArray = operation;
    return f.in(p,
                {offsetof(CUDA_BATCH_MEM_OP_NODE_PARAMS, paramArray), offsetof(CUDA_BATCH_MEM_OP_NODE_PARAMS, count)},
                {offsetof(CUDA_BATCH_MEM_OP_NODE_PARAMS, ctx)});
}
Slot allocation(Fixture& f) {
    CUDA_MEM_ALLOC_NODE_PARAMS p{};
    p.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    p.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    p.bytesize = 4096;
    return f.in(p, {offsetof(CUDA_MEM_ALLOC_NODE_PARAMS, accessDescs),
                    offsetof(CUDA_MEM_ALLOC_NODE_PARAMS, accessDescCount),
                    offsetof(CUDA_MEM_ALLOC_NODE_PARAMS, poolProps.win32SecurityAttributes)});
}
/// More than there is: a driver writes zeros behind what there is.
Slot room(Fixture& f) {
    Slot slot = f.bytes(sizeof(std::size_t));
    constexpr std::size_t entries = 64;
    std::memcpy(reinterpret_cast<void*>(slot.bits), &entries, sizeof entries);
    return slot;
}
Slot attribute(Fixture& f) {
    CUkernelNodeAttrValue_v1 value{};
    return f.in(value);
}
CUkernelNodeAttrID cooperative() { return CU_KERNEL_NODE_ATTRIBUTE_COOPERATIVE; }
/// A node of a graph that was not instantiated: it may be changed and taken away.
Slot fresh_node(Fixture& f) {
    CUgraphNode node = nullptr;
    f.api.fn_cuGraphAddEmptyNode(&node, f.as<CUgraph>(Thing::clone), nullptr, 0);
    return {.kind = Kind::handle, .thing = Thing::empty_node, .bits = reinterpret_cast<std::uint64_t>(node)};
}
Slot allocated(Fixture& f) {
    const Slot graph = f.is(Thing::memory_graph);
    CUgraphNode node = nullptr;
    CUDA_MEM_ALLOC_NODE_PARAMS p{};
    p.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    p.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    p.bytesize = 4096;
    f.api.fn_cuGraphAddMemAllocNode(&node, reinterpret_cast<CUgraph>(graph.bits), nullptr, 0, &p);
    return {.kind = Kind::address, .thing = Thing::memory, .bits = p.dptr};
}

void add_nodes(std::vector<Row>& rows) {
    WARPLIGHT_ROW(cuGraphAddKernelNode, f.out(), f.is(Thing::graph), f.one(Thing::memset_node), f.fixed(1), kernel(f));
    WARPLIGHT_ROW(cuGraphKernelNodeGetParams, f.is(Thing::kernel_node), f.out());
    WARPLIGHT_ROW(cuGraphKernelNodeSetParams, f.is(Thing::kernel_node), kernel(f));
    WARPLIGHT_ROW(cuGraphAddMemcpyNode, f.out(), f.is(Thing::graph), f.one(Thing::memset_node), f.fixed(1), copy(f),
                  f.is(Thing::current_context));
    WARPLIGHT_ROW(cuGraphMemcpyNodeGetParams, f.is(Thing::memcpy_node), f.out());
    WARPLIGHT_ROW(cuGraphMemcpyNodeSetParams, f.is(Thing::memcpy_node), copy(f));
    WARPLIGHT_ROW(cuGraphAddMemsetNode, f.out(), f.is(Thing::graph), f.one(Thing::memset_node), f.fixed(1), fill(f),
                  f.is(Thing::current_context));
    WARPLIGHT_ROW(cuGraphMemsetNodeGetParams, f.is(Thing::memset_node), f.out());
    WARPLIGHT_ROW(cuGraphMemsetNodeSetParams, f.is(Thing::memset_node), fill(f));
    WARPLIGHT_ROW(cuGraphAddHostNode, f.out(), f.is(Thing::graph), f.one(Thing::memset_node), f.fixed(1), host(f));
    WARPLIGHT_ROW(cuGraphHostNodeSetParams, f.is(Thing::host_node), host(f));
    WARPLIGHT_ROW(cuGraphAddChildGraphNode, f.out(), f.is(Thing::graph), f.one(Thing::memset_node), f.fixed(1),
                  f.is(Thing::clone));
    WARPLIGHT_ROW(cuGraphChildGraphNodeGetGraph, f.is(Thing::child_node), f.out());
    WARPLIGHT_ROW(cuGraphAddEmptyNode, f.out(), f.is(Thing::graph), f.one(Thing::memset_node), f.fixed(1));
    WARPLIGHT_ROW(cuGraphAddEventRecordNode, f.out(), f.is(Thing::graph), f.one(Thing::memset_node), f.fixed(1),
                  f.is(Thing::event));
    WARPLIGHT_ROW(cuGraphEventRecordNodeGetEvent, f.is(Thing::record_node), f.out());
    WARPLIGHT_ROW(cuGraphEventRecordNodeSetEvent, f.is(Thing::record_node), f.is(Thing::event));
    WARPLIGHT_ROW(cuGraphAddEventWaitNode, f.out(), f.is(Thing::graph), f.one(Thing::memset_node), f.fixed(1),
                  f.is(Thing::event));
    WARPLIGHT_ROW(cuGraphEventWaitNodeGetEvent, f.is(Thing::wait_node), f.out());
    WARPLIGHT_ROW(cuGraphEventWaitNodeSetEvent, f.is(Thing::wait_node), f.is(Thing::event));
    WARPLIGHT_ROW(cuGraphAddMemAllocNode, f.out(), f.is(Thing::memory_graph), f.fixed(0), f.fixed(0), allocation(f));
    WARPLIGHT_ROW(cuGraphMemAllocNodeGetParams, f.is(Thing::alloc_node), f.out());
    WARPLIGHT_ROW(cuGraphAddMemFreeNode, f.out(), f.is(Thing::memory_graph), f.one(Thing::alloc_node), f.fixed(1),
                  allocated(f));
    WARPLIGHT_ROW(cuGraphMemFreeNodeGetParams, f.is(Thing::free_node), f.out());
    WARPLIGHT_ROW(cuGraphAddBatchMemOpNode, f.out(), f.is(Thing::graph), f.one(Thing::memset_node), f.fixed(1),
                  batch(f));
    WARPLIGHT_ROW(cuGraphBatchMemOpNodeGetParams, f.is(Thing::batch_node), f.out());
    WARPLIGHT_ROW(cuGraphBatchMemOpNodeSetParams, f.is(Thing::batch_node), batch(f));
    WARPLIGHT_ROW(cuGraphKernelNodeCopyAttributes, f.is(Thing::kernel_node), f.is(Thing::kernel_node));
    WARPLIGHT_ROW(cuGraphKernelNodeGetAttribute, f.is(Thing::kernel_node), cooperative(), f.out());
    WARPLIGHT_ROW(cuGraphKernelNodeSetAttribute, f.is(Thing::kernel_node), cooperative(), attribute(f));
}

void add_structure(std::vector<Row>& rows) {
    WARPLIGHT_ROW(cuGraphCreate, f.makes(Thing::clone), 0);
    WARPLIGHT_ROW(cuGraphDestroy, f.takes(Thing::clone));
    WARPLIGHT_ROW(cuGraphClone, f.makes(Thing::clone), f.is(Thing::graph));
    WARPLIGHT_ROW(cuGraphNodeFindInClone, f.out(), f.is(Thing::memset_node), f.is(Thing::clone));
    WARPLIGHT_ROW(cuGraphNodeGetType, f.is(Thing::memset_node), f.out());
    WARPLIGHT_ROW(cuGraphGetNodes, f.is(Thing::graph), f.out(), room(f));
    WARPLIGHT_ROW(cuGraphGetRootNodes, f.is(Thing::graph), f.out(), room(f));
    WARPLIGHT_ROW(cuGraphGetEdges, f.is(Thing::graph), f.out(), f.out(), room(f));
    WARPLIGHT_ROW(cuGraphGetEdges_v2, f.is(Thing::graph), f.out(), f.out(), f.out(), room(f));
    WARPLIGHT_ROW(cuGraphNodeGetDependencies, f.is(Thing::memset_node), f.out(), room(f));
    WARPLIGHT_ROW(cuGraphNodeGetDependencies_v2, f.is(Thing::memset_node), f.out(), f.out(), room(f));
    WARPLIGHT_ROW(cuGraphNodeGetDependentNodes, f.is(Thing::kernel_node), f.out(), room(f));
    WARPLIGHT_ROW(cuGraphNodeGetDependentNodes_v2, f.is(Thing::kernel_node), f.out(), f.out(), room(f));
    WARPLIGHT_ROW(cuGraphAddDependencies, f.is(Thing::graph), f.one(Thing::host_node), f.one(Thing::empty_node),
                  f.fixed(1));
    WARPLIGHT_ROW(cuGraphAddDependencies_v2, f.is(Thing::graph), f.one(Thing::host_node), f.one(Thing::memset_node),
                  f.in(GraphEdgeData{}), f.fixed(1));
    WARPLIGHT_ROW(cuGraphRemoveDependencies, f.is(Thing::graph), f.one(Thing::kernel_node), f.one(Thing::memset_node),
                  f.fixed(1));
    WARPLIGHT_ROW(cuGraphRemoveDependencies_v2, f.is(Thing::graph), f.one(Thing::kernel_node),
                  f.one(Thing::memset_node), f.in(GraphEdgeData{}), f.fixed(1));
    WARPLIGHT_ROW(cuGraphDestroyNode, fresh_node(f));
    WARPLIGHT_ROW(cuGraphDebugDotPrint, f.is(Thing::graph), "no such folder/graph.dot", 0);
    WARPLIGHT_ROW(cuUserObjectCreate, f.makes(Thing::user_object), f.bytes(),
                  (Slot{.kind = Kind::bytes, .bits = reinterpret_cast<std::uint64_t>(&host_function)}), 1, 1u);
    WARPLIGHT_ROW(cuUserObjectRetain, f.is(Thing::user_object), f.pick(1, {0, 0x80000000, 0xffffffff}));
    WARPLIGHT_ROW(cuUserObjectRelease, f.takes(Thing::user_object), f.pick(1, {0, 0x80000000, 0xffffffff}));
    WARPLIGHT_ROW(cuGraphRetainUserObject, f.is(Thing::graph), f.is(Thing::user_object),
                  f.pick(1, {0, 0x80000000, 0xffffffff}), 0);
    WARPLIGHT_ROW(
        cuGraphReleaseUserObject, f.is(Thing::graph),
        [&] {
            const Slot object = f.is(Thing::user_object);
            f.api.fn_cuGraphRetainUserObject(f.as<CUgraph>(Thing::graph), reinterpret_cast<CUuserObject>(object.bits),
                                             1, 0);
            return object;
        }(),
        f.pick(1, {0, 0x80000000, 0xffffffff}));
}

void add_executables(std::vector<Row>& rows) {
    WARPLIGHT_ROW(cuGraphInstantiate_v2, f.makes(Thing::executable), f.is(Thing::graph), f.out(), f.out(),
                  f.pick(4096, {0, 1}));
    WARPLIGHT_ROW(cuGraphInstantiateWithFlags, f.makes(Thing::executable), f.is(Thing::graph),
                  f.pick(0, {~0ull, 0x7fffffff}));
    WARPLIGHT_ROW(cuGraphInstantiateWithParams, f.makes(Thing::executable), f.is(Thing::graph),
                  f.in(GraphInstantiateParams{}, {}, {offsetof(GraphInstantiateParams, upload_stream)}));
    WARPLIGHT_ROW(cuGraphExecGetFlags, f.is(Thing::executable), f.out());
    WARPLIGHT_ROW(cuGraphLaunch, f.is(Thing::executable), f.is(Thing::stream));
    WARPLIGHT_ROW(cuGraphUpload, f.is(Thing::executable), f.is(Thing::stream));
    WARPLIGHT_ROW(cuGraphExecDestroy, f.takes(Thing::executable));
    WARPLIGHT_ROW(cuGraphExecUpdate, f.is(Thing::executable), f.is(Thing::graph), f.out(), f.out());
    WARPLIGHT_ROW(cuGraphExecUpdate_v2, f.is(Thing::executable), f.is(Thing::graph), f.out());
    WARPLIGHT_ROW(cuGraphExecKernelNodeSetParams, f.is(Thing::executable), f.is(Thing::kernel_node), kernel(f));
    WARPLIGHT_ROW(cuGraphExecMemcpyNodeSetParams, f.is(Thing::executable), f.is(Thing::memcpy_node), copy(f),
                  f.is(Thing::current_context));
    WARPLIGHT_ROW(cuGraphExecMemsetNodeSetParams, f.is(Thing::executable), f.is(Thing::memset_node), fill(f),
                  f.is(Thing::current_context));
    WARPLIGHT_ROW(cuGraphExecHostNodeSetParams, f.is(Thing::executable), f.is(Thing::host_node), host(f));
    WARPLIGHT_ROW(cuGraphExecEventRecordNodeSetEvent, f.is(Thing::executable), f.is(Thing::record_node),
                  f.is(Thing::event));
    WARPLIGHT_ROW(cuGraphExecEventWaitNodeSetEvent, f.is(Thing::executable), f.is(Thing::wait_node),
                  f.is(Thing::event));
    WARPLIGHT_ROW(cuGraphExecChildGraphNodeSetParams, f.is(Thing::executable), f.is(Thing::child_node), [&] {
        CUgraph child = nullptr;
        f.api.fn_cuGraphChildGraphNodeGetGraph(f.as<CUgraphNode>(Thing::child_node), &child);
        Slot slot = f.is(Thing::clone);
        slot.bits = reinterpret_cast<std::uint64_t>(child);
        return slot;
    }());
    WARPLIGHT_ROW(cuGraphExecBatchMemOpNodeSetParams, f.is(Thing::executable), f.is(Thing::batch_node), batch(f));
    WARPLIGHT_ROW(cuGraphNodeSetEnabled, f.is(Thing::executable), f.is(Thing::kernel_node), 1);
    WARPLIGHT_ROW(cuGraphNodeGetEnabled, f.is(Thing::executable), f.is(Thing::kernel_node), f.out());
    WARPLIGHT_ROW(cuDeviceGraphMemTrim, 0);
    WARPLIGHT_ROW(cuDeviceGetGraphMemAttribute, 0, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, f.out());
    WARPLIGHT_ROW(cuDeviceSetGraphMemAttribute, 0, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, f.bytes());
}

} // namespace

void add_graphs(std::vector<Row>& rows) {
    add_nodes(rows);
    add_structure(rows);
    add_executables(rows);
}

} // namespace bad_input
