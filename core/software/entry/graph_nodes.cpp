// SPDX-License-Identifier: Apache-2.0
// Nodes of graphs: adding them, asking for their parameters, and changing those. The same for executable graphs.
#include "entry.hpp"
#include "graph_content.hpp"

#include "../runtime/event.hpp"
#include "../runtime/graph_exec.hpp"

#include <cstring>

using namespace warplight::software;
using warplight::driver::KernelNodeParams;

#undef cuGraphAddKernelNode
#undef cuGraphKernelNodeGetParams
#undef cuGraphKernelNodeSetParams
#undef cuGraphExecKernelNodeSetParams
#undef cuGraphAddNode

namespace {

constexpr int kClusterDimension = 4;
constexpr int kCooperative = 2; ///< CU_LAUNCH_ATTRIBUTE_COOPERATIVE

template <class Make>
CUresult add(CUgraphNode* node, CUgraph hGraph, const CUgraphNode* dependencies, const EdgeData* data, size_t count,
             Make make) {
    if (const CUresult wrong = look_at([&] { require(node && hGraph); })) return wrong;
    return enter([&] {
        const GraphGuard guard;
        const auto graph = graph_of(hGraph);
        const auto edges = edges_of(dependencies, data, count);
        *node = graph->add(make(), edges)->handle();
    });
}

/// The node does something else from now on.
template <class Kind, class Make>
CUresult change(CUgraphNode hNode, Make make) {
    if (const CUresult wrong = look_at([&] { require(hNode); })) return wrong;
    return enter([&] {
        const GraphGuard guard;
        const auto node = node_of(hNode);
        const auto* now = std::get_if<Kind>(&node->content->what);
        require(now);
        Content content = make(*now);
        require(content->type == node->content->type);
        node->content = std::move(content);
    });
}

template <class Kind, class Get>
CUresult look(CUgraphNode hNode, Get get) {
    if (const CUresult wrong = look_at([&] { require(hNode); })) return wrong;
    return enter([&] {
        const GraphGuard guard;
        const auto* now = std::get_if<Kind>(&node_of(hNode)->content->what);
        require(now);
        get(*now);
    });
}

std::shared_ptr<GraphExec> exec_of(CUgraphExec handle) {
    return handles<GraphExec>().get(handle, CUDA_ERROR_INVALID_VALUE);
}

/// The same for the node of an executable graph. `Kind` is checked in both.
template <class Kind, class Make>
CUresult change_exec(CUgraphExec hGraphExec, CUgraphNode hNode, Make make) {
    if (const CUresult wrong = look_at([&] { require(hGraphExec && hNode); })) return wrong;
    return enter([&] {
        const GraphGuard guard;
        const auto exec = exec_of(hGraphExec);
        const auto node = node_of(hNode);
        const auto* now = std::get_if<Kind>(&exec->content(*node).what);
        require(now);
        exec->set_content(*node, make(*now));
    });
}

/// No context will do, but not one that has failed.
void check_current() {
    if (const auto context = current_context_or_null()) context->check();
}

template <class Params>
KernelNodeParams kernel_params(const Params* given) {
    require(given);
    KernelNodeParams p;
    static_assert(sizeof(Params) <= sizeof p);
    std::memcpy(static_cast<void*>(&p), given, sizeof *given);
    return p;
}

template <class Params>
void tell_kernel(const KernelNode& node, Params* out) {
    KernelNodeParams p;
    p.func = node.handle;
    std::memcpy(p.grid, node.request.grid.data(), sizeof p.grid);
    std::memcpy(p.block, node.request.block.data(), sizeof p.block);
    p.shared = static_cast<unsigned>(node.request.dynamic_shared);
    p.parameters = node.pointers.empty() ? nullptr : const_cast<void**>(node.pointers.data());
    std::memcpy(static_cast<void*>(out), &p, sizeof *out);
}

/// A copy in one dimension is all that an executable graph can have in place of another.
bool flat(const CUDA_MEMCPY3D& c) { return c.Height <= 1 && c.Depth <= 1 && c.WidthInBytes > 0; }

Content event_like(const EventNode&, CUgraphNodeType type, CUevent event) { return event_content(type, event); }
/// In an executable graph it stays one of its context.
Content event_in_place(const EventNode& now, CUgraphNodeType type, CUevent event) {
    Content content = event_content(type, event);
    require(&std::get<EventNode>(content->what).event->context == &now.event->context);
    return content;
}

std::vector<CUstreamBatchMemOpParams> operations_of(const CUDA_BATCH_MEM_OP_NODE_PARAMS& p) {
    require(p.paramArray && p.count > 0 && p.count <= 256);
    return {p.paramArray, p.paramArray + p.count};
}

} // namespace

// --- kernels

// NOLINTBEGIN(bugprone-macro-parentheses): Params is a type
#define WL_KERNEL_NODE(ENTRY, suffix, Params)                                                                          \
    ENTRY(cuGraphAddKernelNode##suffix, (CUgraphNode * phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies,   \
                                         size_t numDependencies, const Params* nodeParams)) {                          \
        return add(phGraphNode, hGraph, dependencies, nullptr, numDependencies,                                        \
                   [&] { return kernel_content(kernel_params(nodeParams), {}); });                                     \
    }                                                                                                                  \
    ENTRY(cuGraphKernelNodeGetParams##suffix, (CUgraphNode hNode, Params * nodeParams)) {                              \
        return look<KernelNode>(hNode, [&](const KernelNode& now) {                                                    \
            require(nodeParams);                                                                                       \
            tell_kernel(now, nodeParams);                                                                              \
        });                                                                                                            \
    }                                                                                                                  \
    ENTRY(cuGraphKernelNodeSetParams##suffix, (CUgraphNode hNode, const Params* nodeParams)) {                         \
        return change<KernelNode>(                                                                                     \
            hNode, [&](const KernelNode& now) { return kernel_content(kernel_params(nodeParams), now.attributes); });  \
    }                                                                                                                  \
    ENTRY(cuGraphExecKernelNodeSetParams##suffix,                                                                      \
          (CUgraphExec hGraphExec, CUgraphNode hNode, const Params* nodeParams)) {                                     \
        return change_exec<KernelNode>(hGraphExec, hNode, [&](const KernelNode& now) {                                 \
            return kernel_content(kernel_params(nodeParams), now.attributes);                                          \
        });                                                                                                            \
    }
// NOLINTEND(bugprone-macro-parentheses)

WL_KERNEL_NODE(WL_ENTRY, , CUDA_KERNEL_NODE_PARAMS_v1)
#define WL_ENTRY_12(symbol, parameters) WL_ENTRY_SINCE(symbol, 12000, parameters)
WL_KERNEL_NODE(WL_ENTRY_12, _v2, AbiKernelParams)

WL_ENTRY(cuGraphKernelNodeGetAttribute,
         (CUgraphNode hNode, CUkernelNodeAttrID attr, CUkernelNodeAttrValue* value_out)) {
    return look<KernelNode>(hNode, [&](const KernelNode& now) {
        require(value_out);
        const auto found = now.attributes.find(static_cast<int>(attr));
        CUlaunchAttributeValue value{};
        if (found != now.attributes.end())
            value = found->second;
        else if (static_cast<int>(attr) != 4) // a cluster of no blocks stands for none
            check_launch_attribute(static_cast<int>(attr), value);
        *value_out = value;
    });
}

WL_ENTRY(cuGraphKernelNodeSetAttribute,
         (CUgraphNode hNode, CUkernelNodeAttrID attr, const CUkernelNodeAttrValue* value)) {
    return change<KernelNode>(hNode, [&](const KernelNode& now) {
        require(value);
        now.request.function.module->context.check();
        check_launch_attribute(static_cast<int>(attr), *value);
        LaunchRequest request = now.request;
        LaunchAttributes attributes = now.attributes;
        attributes[static_cast<int>(attr)] = *value;
        if (static_cast<int>(attr) == kCooperative) {
            request.cooperative = value->cooperative != 0;
            check_launch(request);
        }
        if (static_cast<int>(attr) == kClusterDimension) {
            const auto& [x, y, z] = value->clusterDim;
            request.cluster = std::array{x, y, z};
            check_launch(request);
        }
        return kernel_content(std::move(request), now.handle, std::move(attributes));
    });
}

WL_ENTRY(cuGraphKernelNodeCopyAttributes, (CUgraphNode dst, CUgraphNode src)) {
    return change<KernelNode>(dst, [&](const KernelNode& now) {
        const auto* from = std::get_if<KernelNode>(&node_of(src)->content->what);
        require(from && &from->request.function.module->context == &now.request.function.module->context);
        LaunchRequest request = now.request;
        request.cooperative = from->request.cooperative;
        check_launch(request);
        return kernel_content(std::move(request), now.handle, from->attributes);
    });
}

// --- copies and fills

WL_ENTRY(cuGraphAddMemcpyNode, (CUgraphNode * phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies,
                                size_t numDependencies, const CUDA_MEMCPY3D* copyParams, CUcontext ctx)) {
    return add(phGraphNode, hGraph, dependencies, nullptr, numDependencies, [&] {
        require(copyParams);
        return copy_content(*copyParams, node_context(ctx));
    });
}
WL_ENTRY(cuGraphMemcpyNodeGetParams, (CUgraphNode hNode, CUDA_MEMCPY3D* nodeParams)) {
    return look<CopyNode>(hNode, [&](const CopyNode& now) {
        require(nodeParams);
        *nodeParams = now.parameters;
    });
}
WL_ENTRY(cuGraphMemcpyNodeSetParams, (CUgraphNode hNode, const CUDA_MEMCPY3D* nodeParams)) {
    return change<CopyNode>(hNode, [&](const CopyNode&) {
        require(nodeParams);
        check_current();
        return copy_content(*nodeParams, node_of(hNode)->content->context);
    });
}
WL_ENTRY(cuGraphExecMemcpyNodeSetParams,
         (CUgraphExec hGraphExec, CUgraphNode hNode, const CUDA_MEMCPY3D* copyParams, CUcontext ctx)) {
    return change_exec<CopyNode>(hGraphExec, hNode, [&](const CopyNode& now) {
        require(copyParams && flat(now.parameters) && flat(*copyParams));
        return copy_content(*copyParams, node_context(ctx));
    });
}

WL_ENTRY(cuGraphAddMemsetNode, (CUgraphNode * phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies,
                                size_t numDependencies, const CUDA_MEMSET_NODE_PARAMS* memsetParams, CUcontext ctx)) {
    return add(phGraphNode, hGraph, dependencies, nullptr, numDependencies, [&] {
        require(memsetParams && memsetParams->width > 0 && memsetParams->height > 0);
        return fill_content(*memsetParams, node_context(ctx));
    });
}
WL_ENTRY(cuGraphMemsetNodeGetParams, (CUgraphNode hNode, CUDA_MEMSET_NODE_PARAMS* nodeParams)) {
    return look<FillNode>(hNode, [&](const FillNode& now) {
        require(nodeParams);
        *nodeParams = now.parameters;
    });
}
WL_ENTRY(cuGraphMemsetNodeSetParams, (CUgraphNode hNode, const CUDA_MEMSET_NODE_PARAMS* nodeParams)) {
    return change<FillNode>(hNode, [&](const FillNode&) {
        require(nodeParams && nodeParams->width > 0 && nodeParams->height > 0);
        check_current();
        return fill_content(*nodeParams, node_of(hNode)->content->context);
    });
}
WL_ENTRY(cuGraphExecMemsetNodeSetParams,
         (CUgraphExec hGraphExec, CUgraphNode hNode, const CUDA_MEMSET_NODE_PARAMS* memsetParams, CUcontext ctx)) {
    return change_exec<FillNode>(hGraphExec, hNode, [&](const FillNode&) {
        require(memsetParams && memsetParams->width > 0 && memsetParams->height > 0);
        return fill_content(*memsetParams, node_context(ctx));
    });
}

// --- host functions, child graphs, empty nodes

WL_ENTRY(cuGraphAddHostNode, (CUgraphNode * phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies,
                              size_t numDependencies, const CUDA_HOST_NODE_PARAMS* nodeParams)) {
    return add(phGraphNode, hGraph, dependencies, nullptr, numDependencies, [&] {
        require(nodeParams);
        return host_content(*nodeParams);
    });
}
WL_ENTRY_SINCE(cuGraphHostNodeGetParams, 10000, (CUgraphNode hNode, CUDA_HOST_NODE_PARAMS* nodeParams)) {
    return look<HostNode>(hNode, [&](const HostNode& now) {
        require(nodeParams);
        *nodeParams = now.parameters;
    });
}
WL_ENTRY(cuGraphHostNodeSetParams, (CUgraphNode hNode, const CUDA_HOST_NODE_PARAMS* nodeParams)) {
    return change<HostNode>(hNode, [&](const HostNode&) {
        require(nodeParams);
        return host_content(*nodeParams);
    });
}
WL_ENTRY(cuGraphExecHostNodeSetParams,
         (CUgraphExec hGraphExec, CUgraphNode hNode, const CUDA_HOST_NODE_PARAMS* nodeParams)) {
    return change_exec<HostNode>(hGraphExec, hNode, [&](const HostNode&) {
        require(nodeParams);
        return host_content(*nodeParams);
    });
}

WL_ENTRY(cuGraphAddChildGraphNode, (CUgraphNode * phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies,
                                    size_t numDependencies, CUgraph childGraph)) {
    return add(phGraphNode, hGraph, dependencies, nullptr, numDependencies,
               [&] { return child_content(graph_of(childGraph)->clone(true)); });
}
WL_ENTRY(cuGraphChildGraphNodeGetGraph, (CUgraphNode hNode, CUgraph* phGraph)) {
    return look<ChildNode>(hNode, [&](const ChildNode& now) {
        require(phGraph);
        *phGraph = now.graph->handle();
    });
}
WL_ENTRY(cuGraphExecChildGraphNodeSetParams, (CUgraphExec hGraphExec, CUgraphNode hNode, CUgraph childGraph)) {
    if (const CUresult wrong = look_at([&] { require(hGraphExec && hNode && childGraph); })) return wrong;
    return enter([&] {
        const GraphGuard guard;
        exec_of(hGraphExec)->set_child(*node_of(hNode), *graph_of(childGraph));
    });
}

WL_ENTRY(cuGraphAddEmptyNode,
         (CUgraphNode * phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies, size_t numDependencies)) {
    return add(phGraphNode, hGraph, dependencies, nullptr, numDependencies, [&] { return empty_content(); });
}

// --- events

#define WL_EVENT_NODE(Name, node_type)                                                                                 \
    WL_ENTRY(cuGraphAdd##Name##Node, (CUgraphNode * phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies,      \
                                      size_t numDependencies, CUevent event)) {                                        \
        return add(phGraphNode, hGraph, dependencies, nullptr, numDependencies,                                        \
                   [&] { return event_content(node_type, event); });                                                   \
    }                                                                                                                  \
    WL_ENTRY(cuGraph##Name##NodeGetEvent, (CUgraphNode hNode, CUevent * event_out)) {                                  \
        return look<EventNode>(hNode, [&](const EventNode& now) {                                                      \
            require(event_out&& node_of(hNode)->content->type == (node_type));                                         \
            *event_out = reinterpret_cast<CUevent>(now.event.get());                                                   \
        });                                                                                                            \
    }                                                                                                                  \
    WL_ENTRY(cuGraph##Name##NodeSetEvent, (CUgraphNode hNode, CUevent event)) {                                        \
        return change<EventNode>(hNode, [&](const EventNode& now) { return event_like(now, node_type, event); });      \
    }                                                                                                                  \
    WL_ENTRY(cuGraphExec##Name##NodeSetEvent, (CUgraphExec hGraphExec, CUgraphNode hNode, CUevent event)) {            \
        return change_exec<EventNode>(hGraphExec, hNode,                                                               \
                                      [&](const EventNode& now) { return event_in_place(now, node_type, event); });    \
    }

WL_EVENT_NODE(EventRecord, CU_GRAPH_NODE_TYPE_EVENT_RECORD)
WL_EVENT_NODE(EventWait, CU_GRAPH_NODE_TYPE_WAIT_EVENT)

// --- memory

WL_ENTRY(cuGraphAddMemAllocNode, (CUgraphNode * phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies,
                                  size_t numDependencies, CUDA_MEM_ALLOC_NODE_PARAMS* nodeParams)) {
    return add(phGraphNode, hGraph, dependencies, nullptr, numDependencies, [&] {
        require(nodeParams);
        return allocation_content(*nodeParams);
    });
}
WL_ENTRY(cuGraphMemAllocNodeGetParams, (CUgraphNode hNode, CUDA_MEM_ALLOC_NODE_PARAMS* params_out)) {
    return look<AllocationNode>(hNode, [&](const AllocationNode& now) {
        require(params_out);
        *params_out = now.parameters;
    });
}
WL_ENTRY(cuGraphAddMemFreeNode, (CUgraphNode * phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies,
                                 size_t numDependencies, CUdeviceptr dptr)) {
    return add(phGraphNode, hGraph, dependencies, nullptr, numDependencies, [&] { return free_content(dptr); });
}
WL_ENTRY(cuGraphMemFreeNodeGetParams, (CUgraphNode hNode, CUdeviceptr* dptr_out)) {
    return look<FreeNode>(hNode, [&](const FreeNode& now) {
        require(dptr_out);
        *dptr_out = now.address;
    });
}

WL_ENTRY(cuGraphAddBatchMemOpNode, (CUgraphNode * phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies,
                                    size_t numDependencies, const CUDA_BATCH_MEM_OP_NODE_PARAMS* nodeParams)) {
    return add(phGraphNode, hGraph, dependencies, nullptr, numDependencies, [&] {
        require(nodeParams && nodeParams->ctx);
        return memory_operations_content(node_context(nodeParams->ctx), operations_of(*nodeParams), nodeParams->flags);
    });
}
WL_ENTRY(cuGraphBatchMemOpNodeGetParams, (CUgraphNode hNode, CUDA_BATCH_MEM_OP_NODE_PARAMS* nodeParams_out)) {
    return look<MemoryOperationsNode>(hNode, [&](const MemoryOperationsNode& now) {
        require(nodeParams_out);
        nodeParams_out->ctx = reinterpret_cast<CUcontext>(node_of(hNode)->content->context.get());
        nodeParams_out->count = static_cast<unsigned>(now.operations.size());
        nodeParams_out->paramArray = const_cast<CUstreamBatchMemOpParams*>(now.operations.data());
        nodeParams_out->flags = now.flags;
    });
}
WL_ENTRY(cuGraphBatchMemOpNodeSetParams, (CUgraphNode hNode, const CUDA_BATCH_MEM_OP_NODE_PARAMS* nodeParams)) {
    return change<MemoryOperationsNode>(hNode, [&](const MemoryOperationsNode&) {
        require(nodeParams && nodeParams->ctx);
        return memory_operations_content(node_context(nodeParams->ctx), operations_of(*nodeParams), nodeParams->flags);
    });
}
WL_ENTRY(cuGraphExecBatchMemOpNodeSetParams,
         (CUgraphExec hGraphExec, CUgraphNode hNode, const CUDA_BATCH_MEM_OP_NODE_PARAMS* nodeParams)) {
    return change_exec<MemoryOperationsNode>(hGraphExec, hNode, [&](const MemoryOperationsNode&) {
        require(nodeParams && nodeParams->ctx);
        return memory_operations_content(node_context(nodeParams->ctx), operations_of(*nodeParams), nodeParams->flags);
    });
}

// --- nodes of any type

#if CUDA_VERSION >= 12030
namespace {

/// `attributes`: of the kernel that the node launched before.
Content content_of(CUgraphNodeParams& p, const LaunchAttributes& attributes) {
    switch (static_cast<int>(p.type)) {
    case CU_GRAPH_NODE_TYPE_KERNEL: return kernel_content(kernel_params(&p.kernel), attributes);
    case CU_GRAPH_NODE_TYPE_MEMCPY: return copy_content(p.memcpy.copyParams, node_context(p.memcpy.copyCtx));
    case CU_GRAPH_NODE_TYPE_MEMSET: {
        require(p.memset.width > 0 && p.memset.height > 0);
        const CUDA_MEMSET_NODE_PARAMS fill{p.memset.dst,         p.memset.pitch, p.memset.value,
                                           p.memset.elementSize, p.memset.width, p.memset.height};
        return fill_content(fill, node_context(p.memset.ctx));
    }
    case CU_GRAPH_NODE_TYPE_HOST: return host_content({p.host.fn, p.host.userData});
    case CU_GRAPH_NODE_TYPE_EMPTY: return empty_content();
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT: return event_content(p.type, p.eventWait.event);
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD: return event_content(p.type, p.eventRecord.event);
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP: {
        require(p.memOp.paramArray && p.memOp.count > 0 && p.memOp.count <= 256);
        return memory_operations_content(node_context(p.memOp.ctx),
                                         {p.memOp.paramArray, p.memOp.paramArray + p.memOp.count}, p.memOp.flags);
    }
    default: fail(CUDA_ERROR_NOT_SUPPORTED, "nodes of this type are not supported");
    }
}

Content new_content(CUgraphNodeParams& p, const Graph& graph) {
    switch (static_cast<int>(p.type)) {
    case CU_GRAPH_NODE_TYPE_GRAPH: {
        const auto child = graph_of(p.graph.graph);
        require(child.get() != &graph);
        // CU_GRAPH_CHILD_GRAPH_OWNERSHIP_CLONE or _MOVE, where older headers have no member.
        const int ownership = static_cast<int>(p.reserved1[1]);
        require(ownership == 0 || ownership == 1);
        if (ownership == 1) {
            require(!child->embedded && !child->capturing);
            return child_content(child);
        }
        auto copy = child->clone(true);
        p.graph.graph = copy->handle();
        return child_content(std::move(copy));
    }
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC: {
        CUDA_MEM_ALLOC_NODE_PARAMS allocation{};
        static_assert(sizeof allocation == sizeof p.alloc);
        std::memcpy(&allocation, &p.alloc, sizeof allocation);
        Content content = allocation_content(allocation);
        p.alloc.dptr = allocation.dptr;
        return content;
    }
    case CU_GRAPH_NODE_TYPE_MEM_FREE: return free_content(p.free.dptr);
    default: return content_of(p, {});
    }
}

const LaunchAttributes& attributes_of(const NodeContent& content) {
    static const auto* const none = new LaunchAttributes; // never destroyed: threads may run until the process ends
    const auto* kernel = std::get_if<KernelNode>(&content.what);
    return kernel ? kernel->attributes : *none;
}

} // namespace

WL_ENTRY_SINCE(cuGraphAddNode, 12020,
               (CUgraphNode * phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies, size_t numDependencies,
                CUgraphNodeParams* nodeParams)) {
    return add(phGraphNode, hGraph, dependencies, nullptr, numDependencies, [&] {
        require(nodeParams);
        return new_content(*nodeParams, *graph_of(hGraph));
    });
}
WL_ENTRY_SINCE(cuGraphAddNode_v2, 12030,
               (CUgraphNode * phGraphNode, CUgraph hGraph, const CUgraphNode* dependencies,
                const CUgraphEdgeData* dependencyData, size_t numDependencies, CUgraphNodeParams* nodeParams)) {
    return add(phGraphNode, hGraph, dependencies, reinterpret_cast<const EdgeData*>(dependencyData), numDependencies,
               [&] {
                   require(nodeParams);
                   return new_content(*nodeParams, *graph_of(hGraph));
               });
}
WL_ENTRY_SINCE(cuGraphNodeSetParams, 12020, (CUgraphNode hNode, CUgraphNodeParams* nodeParams)) {
    return enter([&] {
        require(nodeParams);
        const GraphGuard guard;
        const auto node = node_of(hNode);
        require(nodeParams->type == node->content->type);
        node->content = content_of(*nodeParams, attributes_of(*node->content));
    });
}
WL_ENTRY_SINCE(cuGraphExecNodeSetParams, 12020,
               (CUgraphExec hGraphExec, CUgraphNode hNode, CUgraphNodeParams* nodeParams)) {
    return enter([&] {
        require(nodeParams);
        const GraphGuard guard;
        const auto exec = exec_of(hGraphExec);
        const auto node = node_of(hNode);
        require(nodeParams->type == node->content->type);
        if (nodeParams->type == CU_GRAPH_NODE_TYPE_GRAPH)
            exec->set_child(*node, *graph_of(nodeParams->graph.graph));
        else
            exec->set_content(*node, content_of(*nodeParams, attributes_of(exec->content(*node))));
    });
}
#endif
