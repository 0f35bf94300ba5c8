// SPDX-License-Identifier: Apache-2.0
// Graphs: making them, their nodes and edges, copies, pictures, and user objects.
#include "../runtime/graph.hpp"

#include "entry.hpp"
#include "graph_content.hpp"

#include <algorithm>
#include <climits>
#include <cstdio>
#include <memory>

using namespace warplight::software;

#undef cuGraphGetEdges
#undef cuGraphNodeGetDependencies
#undef cuGraphNodeGetDependentNodes
#undef cuGraphAddDependencies
#undef cuGraphRemoveDependencies

namespace {

constexpr auto kLossyQuery = static_cast<CUresult>(402); ///< CUDA_ERROR_LOSSY_QUERY

/// Fills the caller's array in the driver's way: null asks for the count, and places left over become null.
void give(const std::vector<CUgraphNode>& all, CUgraphNode* nodes, size_t* count) {
    require(count);
    if (nodes) {
        for (std::size_t i = 0; i < *count; ++i)
            nodes[i] = i < all.size() ? all[i] : nullptr;
        *count = std::min(*count, all.size());
    } else {
        *count = all.size();
    }
}

void give_data(const std::vector<EdgeData>& all, bool asked, AbiEdgeData* data, size_t count, bool data_known) {
    if (!asked) return;
    if (!data) {
        const bool plain = std::all_of(all.begin(), all.end(), [](const EdgeData& d) { return d == EdgeData{}; });
        if (!plain) fail(kLossyQuery, data_known ? "" : "the graph has edges that this form of the call cannot tell");
        return;
    }
    std::copy_n(all.begin(), std::min(count, all.size()), reinterpret_cast<EdgeData*>(data));
}

CUresult edges(CUgraph hGraph, CUgraphNode* from, CUgraphNode* to, AbiEdgeData* data, size_t* count, bool data_known) {
    return enter([&] {
        require(count && (from == nullptr) == (to == nullptr) && (!data || from));
        const GraphGuard guard;
        std::vector<CUgraphNode> begins, ends;
        std::vector<EdgeData> all;
        for (const auto& node : graph_of(hGraph)->nodes) {
            for (const GraphEdge& edge : node->dependents) {
                begins.push_back(node->handle());
                ends.push_back(edge.node->handle());
                all.push_back(edge.data);
            }
        }
        give_data(all, from != nullptr, data, *count, data_known);
        size_t again = *count;
        give(begins, from, count);
        give(ends, to, &again);
    });
}

CUresult neighbours(CUgraphNode hNode, CUgraphNode* nodes, AbiEdgeData* data, size_t* count,
                    std::vector<GraphEdge> GraphNode::* side, bool data_known) {
    return enter([&] {
        require(count && (!data || nodes));
        const GraphGuard guard;
        std::vector<CUgraphNode> all;
        std::vector<EdgeData> all_data;
        for (const GraphEdge& edge : (*node_of(hNode)).*side) {
            all.push_back(edge.node->handle());
            all_data.push_back(edge.data);
        }
        give_data(all_data, nodes != nullptr, data, *count, data_known);
        give(all, nodes, count);
    });
}

CUresult add_edges(CUgraph hGraph, const CUgraphNode* from, const CUgraphNode* to, const AbiEdgeData* data,
                   size_t count) {
    if (const CUresult wrong = look_at([&] { require(hGraph && (count == 0 || (from && to))); })) return wrong;
    return enter([&] {
        const GraphGuard guard;
        const auto graph = graph_of(hGraph);
        const auto* edge_data = reinterpret_cast<const EdgeData*>(data);
        std::size_t added = 0;
        try {
            for (; added < count; ++added)
                graph->connect(*node_of(from[added]), *node_of(to[added]), edge_data ? edge_data[added] : EdgeData{});
        } catch (...) { // all of them or none
            while (added-- > 0) {
                const auto begin = node_of(from[added]);
                const auto end = node_of(to[added]);
                begin->dependents.pop_back();
                end->dependencies.pop_back();
            }
            throw;
        }
    });
}

CUresult remove_edges(CUgraph hGraph, const CUgraphNode* from, const CUgraphNode* to, const AbiEdgeData* data,
                      size_t count) {
    if (const CUresult wrong = look_at([&] { require(hGraph && (count == 0 || (from && to))); })) return wrong;
    return enter([&] {
        const GraphGuard guard;
        const auto graph = graph_of(hGraph);
        const auto* edge_data = reinterpret_cast<const EdgeData*>(data);
        for (std::size_t i = 0; i < count; ++i)
            graph->disconnect(*node_of(from[i]), *node_of(to[i]), edge_data ? &edge_data[i] : nullptr);
    });
}

} // namespace

WL_ENTRY(cuGraphCreate, (CUgraph * phGraph, unsigned int flags)) {
    return enter([&] {
        require(phGraph && flags == 0);
        *phGraph = Graph::create()->handle();
    });
}

WL_ENTRY(cuGraphDestroy, (CUgraph hGraph)) {
    return enter([&] {
        const GraphGuard guard;
        const auto graph = graph_of(hGraph);
        require(!graph->embedded && !graph->capturing);
        graph->forget();
    });
}

WL_ENTRY(cuGraphDestroyNode, (CUgraphNode hNode)) {
    return enter([&] {
        const GraphGuard guard;
        const auto node = node_of(hNode);
        node->graph.remove(*node);
    });
}

WL_ENTRY(cuGraphClone, (CUgraph * phGraphClone, CUgraph originalGraph)) {
    return enter([&] {
        require(phGraphClone);
        const GraphGuard guard;
        *phGraphClone = graph_of(originalGraph)->clone(false)->handle();
    });
}

WL_ENTRY(cuGraphNodeFindInClone, (CUgraphNode * phNode, CUgraphNode hOriginalNode, CUgraph hClonedGraph)) {
    return enter([&] {
        require(phNode);
        const GraphGuard guard;
        const auto original = node_of(hOriginalNode);
        const auto clone = graph_of(hClonedGraph);
        require(clone->cloned_from == &original->graph);
        for (const auto& node : clone->nodes) {
            if (node->cloned_from != original.get()) continue;
            *phNode = node->handle();
            return;
        }
        fail(CUDA_ERROR_INVALID_VALUE, "the copy no longer has this node");
    });
}

WL_ENTRY(cuGraphNodeGetType, (CUgraphNode hNode, CUgraphNodeType* type)) {
    return enter([&] {
        require(type);
        *type = node_of(hNode)->content->type;
    });
}

WL_ENTRY(cuGraphGetNodes, (CUgraph hGraph, CUgraphNode* nodes, size_t* numNodes)) {
    return enter([&] {
        const GraphGuard guard;
        std::vector<CUgraphNode> all;
        for (const auto& node : graph_of(hGraph)->nodes)
            all.push_back(node->handle());
        give(all, nodes, numNodes);
    });
}

WL_ENTRY(cuGraphGetRootNodes, (CUgraph hGraph, CUgraphNode* rootNodes, size_t* numRootNodes)) {
    return enter([&] {
        const GraphGuard guard;
        std::vector<CUgraphNode> all;
        for (const auto& node : graph_of(hGraph)->nodes)
            if (node->dependencies.empty()) all.push_back(node->handle());
        give(all, rootNodes, numRootNodes);
    });
}

WL_ENTRY(cuGraphGetEdges, (CUgraph hGraph, CUgraphNode* from, CUgraphNode* to, size_t* numEdges)) {
    return edges(hGraph, from, to, nullptr, numEdges, false);
}
WL_ENTRY(cuGraphGetEdges_v2,
         (CUgraph hGraph, CUgraphNode* from, CUgraphNode* to, AbiEdgeData* edgeData, size_t* numEdges)) {
    return edges(hGraph, from, to, edgeData, numEdges, true);
}
WL_ENTRY(cuGraphNodeGetDependencies, (CUgraphNode hNode, CUgraphNode* dependencies, size_t* numDependencies)) {
    return neighbours(hNode, dependencies, nullptr, numDependencies, &GraphNode::dependencies, false);
}
WL_ENTRY(cuGraphNodeGetDependencies_v2,
         (CUgraphNode hNode, CUgraphNode* dependencies, AbiEdgeData* edgeData, size_t* numDependencies)) {
    return neighbours(hNode, dependencies, edgeData, numDependencies, &GraphNode::dependencies, true);
}
WL_ENTRY(cuGraphNodeGetDependentNodes, (CUgraphNode hNode, CUgraphNode* dependentNodes, size_t* numDependentNodes)) {
    return neighbours(hNode, dependentNodes, nullptr, numDependentNodes, &GraphNode::dependents, false);
}
WL_ENTRY(cuGraphNodeGetDependentNodes_v2,
         (CUgraphNode hNode, CUgraphNode* dependentNodes, AbiEdgeData* edgeData, size_t* numDependentNodes)) {
    return neighbours(hNode, dependentNodes, edgeData, numDependentNodes, &GraphNode::dependents, true);
}
WL_ENTRY(cuGraphAddDependencies,
         (CUgraph hGraph, const CUgraphNode* from, const CUgraphNode* to, size_t numDependencies)) {
    return add_edges(hGraph, from, to, nullptr, numDependencies);
}
WL_ENTRY(cuGraphAddDependencies_v2, (CUgraph hGraph, const CUgraphNode* from, const CUgraphNode* to,
                                     const AbiEdgeData* edgeData, size_t numDependencies)) {
    return add_edges(hGraph, from, to, edgeData, numDependencies);
}
WL_ENTRY(cuGraphRemoveDependencies,
         (CUgraph hGraph, const CUgraphNode* from, const CUgraphNode* to, size_t numDependencies)) {
    return remove_edges(hGraph, from, to, nullptr, numDependencies);
}
WL_ENTRY(cuGraphRemoveDependencies_v2, (CUgraph hGraph, const CUgraphNode* from, const CUgraphNode* to,
                                        const AbiEdgeData* edgeData, size_t numDependencies)) {
    return remove_edges(hGraph, from, to, edgeData, numDependencies);
}

WL_ENTRY(cuGraphDebugDotPrint, (CUgraph hGraph, const char* path, unsigned int flags)) {
    if (const CUresult wrong = look_at([&] { require(hGraph && path); })) return wrong;
    return enter([&] {
        const std::string text = graph_as_dot(*graph_of(hGraph), flags);
        const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path, "w"), &std::fclose);
        if (!file) fail(CUDA_ERROR_OPERATING_SYSTEM, std::string("cannot write ") + path);
        if (std::fwrite(text.data(), 1, text.size(), file.get()) != text.size())
            fail(CUDA_ERROR_OPERATING_SYSTEM, std::string("cannot write all of ") + path);
    });
}

WL_ENTRY(cuUserObjectCreate,
         (CUuserObject * object_out, void* ptr, CUhostFn destroy, unsigned int initialRefcount, unsigned int flags)) {
    if (const CUresult wrong = look_at([&] { require(object_out); })) return wrong;
    return enter([&] {
        require(destroy && initialRefcount > 0 && initialRefcount <= INT_MAX);
        require(flags == CU_USER_OBJECT_NO_DESTRUCTOR_SYNC);
        auto object = std::make_shared<UserObject>(ptr, destroy, initialRefcount);
        handles<UserObject>().add(object);
        *object_out = reinterpret_cast<CUuserObject>(object.get());
    });
}

namespace {
std::shared_ptr<UserObject> object_of(CUuserObject handle, unsigned count) {
    require(count > 0 && count <= INT_MAX);
    return handles<UserObject>().get(handle, CUDA_ERROR_INVALID_VALUE);
}
} // namespace

WL_ENTRY(cuUserObjectRetain, (CUuserObject object, unsigned int count)) {
    if (const CUresult wrong = look_at([&] { require(object); })) return wrong;
    return enter([&] { object_of(object, count)->retain(count); });
}
WL_ENTRY(cuUserObjectRelease, (CUuserObject object, unsigned int count)) {
    if (const CUresult wrong = look_at([&] { require(object); })) return wrong;
    return enter([&] { object_of(object, count)->release(count); });
}
WL_ENTRY(cuGraphRetainUserObject, (CUgraph graph, CUuserObject object, unsigned int count, unsigned int flags)) {
    if (const CUresult wrong = look_at([&] { require(graph && object); })) return wrong;
    return enter([&] {
        require((flags & ~unsigned{CU_GRAPH_USER_OBJECT_MOVE}) == 0);
        const GraphGuard guard;
        graph_of(graph)->user_objects.retain(object_of(object, count), count, flags != 0);
    });
}
WL_ENTRY(cuGraphReleaseUserObject, (CUgraph graph, CUuserObject object, unsigned int count)) {
    if (const CUresult wrong = look_at([&] { require(graph && object); })) return wrong;
    return enter([&] {
        const GraphGuard guard;
        graph_of(graph)->user_objects.release(object_of(object, count), count);
    });
}

WL_ENTRY(cuDeviceGraphMemTrim, (CUdevice dev)) {
    return enter([&] { (void)device(dev); }); // memory goes back as soon as no graph needs it
}
WL_ENTRY(cuDeviceGetGraphMemAttribute, (CUdevice dev, CUgraphMem_attribute attr, void* value)) {
    return enter([&] {
        require(value);
        *static_cast<cuuint64_t*>(value) = graph_memory_attribute(device(dev).ordinal, attr);
    });
}
WL_ENTRY(cuDeviceSetGraphMemAttribute, (CUdevice dev, CUgraphMem_attribute attr, void* value)) {
    return enter([&] {
        require(value && *static_cast<cuuint64_t*>(value) == 0);
        reset_graph_memory_attribute(device(dev).ordinal, attr);
    });
}
