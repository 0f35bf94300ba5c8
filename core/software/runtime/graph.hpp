// SPDX-License-Identifier: Apache-2.0
// Graphs of work: nodes, the work of each, and the edges between them.
#pragma once

#include "graph_edge.hpp"
#include "graph_guard.hpp"
#include "graph_memory.hpp"
#include "launch_request.hpp"
#include "stream.hpp"
#include "user_object.hpp"

#include <cuda.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace warplight::software {

class Context;
class Event;
class Graph;
class GraphExec;

// The work of nodes, in the terms of the driver's interface.
struct KernelNode {
    LaunchRequest request;
    CUfunction handle = nullptr;
    std::vector<void*> pointers; ///< to the arguments in request.parameters
    std::map<int, CUlaunchAttributeValue> attributes;
};
struct CopyNode {
    CUDA_MEMCPY3D parameters;
};
struct FillNode {
    CUDA_MEMSET_NODE_PARAMS parameters;
};
struct HostNode {
    CUDA_HOST_NODE_PARAMS parameters;
};
struct ChildNode {
    std::shared_ptr<Graph> graph;
};
struct EventNode {
    std::shared_ptr<Event> event;
};
struct AllocationNode {
    CUDA_MEM_ALLOC_NODE_PARAMS parameters;
    std::vector<CUmemAccessDesc> access;
    std::shared_ptr<GraphMemory> memory;
};
struct FreeNode {
    CUdeviceptr address = 0;
    std::shared_ptr<GraphMemory> memory;
};
struct MemoryOperationsNode {
    std::vector<CUstreamBatchMemOpParams> operations;
    unsigned flags = 0;
};

/// Never changed once it is made: executable graphs and launches under way share it.
struct NodeContent {
    CUgraphNodeType type = CU_GRAPH_NODE_TYPE_EMPTY;
    std::variant<std::monostate, KernelNode, CopyNode, FillNode, HostNode, ChildNode, EventNode, AllocationNode,
                 FreeNode, MemoryOperationsNode>
        what;
    Stream::Work work;                ///< none where there is nothing to run
    std::shared_ptr<Context> context; ///< where it runs; null where that does not matter
};

class GraphNode : public std::enable_shared_from_this<GraphNode> {
public:
    GraphNode(Graph& owner, std::shared_ptr<const NodeContent> what, std::uint64_t number)
        : graph(owner), content(std::move(what)), id(number) {}
    Graph& graph;
    std::shared_ptr<const NodeContent> content;
    const std::uint64_t id;
    std::vector<GraphEdge> dependencies;
    std::vector<GraphEdge> dependents;
    const void* cloned_from = nullptr; ///< the handle

    [[nodiscard]] CUgraphNode handle() { return reinterpret_cast<CUgraphNode>(this); }
};

class Graph : public std::enable_shared_from_this<Graph> {
public:
    /// Makes it known as a handle.
    [[nodiscard]] static std::shared_ptr<Graph> create();
    Graph();
    ~Graph();
    Graph(const Graph&) = delete;
    Graph& operator=(const Graph&) = delete;

    const std::uint64_t id;
    std::vector<std::shared_ptr<GraphNode>> nodes; ///< in the order they were added
    UserObjects user_objects;
    bool embedded = false;              ///< of a child node: it goes with that
    bool capturing = false;             ///< nodes are being captured into it
    std::weak_ptr<GraphExec> exclusive; ///< made of this graph, which has memory nodes
    const void* cloned_from = nullptr;  ///< the handle

    [[nodiscard]] CUgraph handle() { return reinterpret_cast<CUgraph>(this); }
    /// Throws CUDA_ERROR_INVALID_VALUE for dependencies of another graph and those given twice.
    std::shared_ptr<GraphNode> add(std::shared_ptr<const NodeContent> content,
                                   const std::vector<GraphEdge>& dependencies);
    /// Throws CUDA_ERROR_INVALID_VALUE for edges that are there. Circles are found when it is instantiated.
    void connect(GraphNode& from, GraphNode& to, const EdgeData& data);
    void disconnect(GraphNode& from, GraphNode& to, const EdgeData* data);
    void remove(GraphNode& node);
    [[nodiscard]] bool has_memory_nodes() const;
    /// Child graphs are copied with it. Throws CUDA_ERROR_NOT_SUPPORTED where there are memory nodes.
    [[nodiscard]] std::shared_ptr<Graph> clone(bool embedded_copy) const;
    /// Each node after its dependencies, and otherwise in the order they were added. Nodes in circles are left out.
    [[nodiscard]] std::vector<GraphNode*> sorted() const;
    /// No handle of it, of its nodes and of its child graphs is known any longer.
    void forget();
};

/// Throws CUDA_ERROR_INVALID_VALUE for a handle that is no graph, or no node.
[[nodiscard]] std::shared_ptr<Graph> graph_of(CUgraph handle);
[[nodiscard]] std::shared_ptr<GraphNode> node_of(CUgraphNode handle);
/// Throws CUDA_ERROR_INVALID_VALUE for data that no edge can have.
void check_edge(const GraphNode& from, const EdgeData& data);

/// DOT text, for cuGraphDebugDotPrint.
[[nodiscard]] std::string graph_as_dot(const Graph& graph, unsigned flags);
[[nodiscard]] const char* node_type_name(CUgraphNodeType type);

} // namespace warplight::software
