// SPDX-License-Identifier: Apache-2.0
#include "graph.hpp"

#include "context.hpp"
#include "event.hpp"
#include "failure.hpp"
#include "handles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <set>
#include <unordered_map>

namespace warplight::software {
namespace {

std::atomic<std::uint64_t> last_graph = 0;
constexpr std::uint8_t kProgrammatic = 1; ///< CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC

auto edge_to(const GraphNode& node) {
    return [&node](const GraphEdge& edge) { return edge.node == &node; };
}

bool is_memory_node(const NodeContent& content) {
    return content.type == CU_GRAPH_NODE_TYPE_MEM_ALLOC || content.type == CU_GRAPH_NODE_TYPE_MEM_FREE;
}

} // namespace

std::shared_ptr<Graph> Graph::create() {
    auto graph = std::make_shared<Graph>();
    handles<Graph>().add(graph);
    return graph;
}

Graph::Graph() : id(++last_graph) {}

Graph::~Graph() {
    // A free node that goes lets another graph free the memory.
    const GraphGuard guard;
    for (const auto& node : nodes)
        if (const auto* f = std::get_if<FreeNode>(&node->content->what); f && f->memory->freed_by_graph == this)
            f->memory->freed_by_graph = nullptr;
}

void check_edge(const GraphNode& from, const EdgeData& data) {
    if (data == EdgeData{}) return;
    const bool programmatic = data.type == kProgrammatic && data.from_port <= 2 && data.to_port == 0;
    const EdgeData known{data.from_port, data.to_port, data.type, {}};
    if (!programmatic || data != known || from.content->type != CU_GRAPH_NODE_TYPE_KERNEL)
        fail(CUDA_ERROR_INVALID_VALUE, "no edge of a graph can have this data");
}

std::shared_ptr<GraphNode> Graph::add(std::shared_ptr<const NodeContent> content,
                                      const std::vector<GraphEdge>& dependencies) {
    const GraphGuard guard;
    for (std::size_t i = 0; i < dependencies.size(); ++i) {
        if (&dependencies[i].node->graph != this)
            fail(CUDA_ERROR_INVALID_VALUE, "a dependency is a node of another graph");
        check_edge(*dependencies[i].node, dependencies[i].data);
        for (std::size_t j = 0; j < i; ++j)
            if (dependencies[j].node == dependencies[i].node)
                fail(CUDA_ERROR_INVALID_VALUE, "a dependency is given twice");
    }
    static std::uint64_t last_node = 0;
    auto node = std::make_shared<GraphNode>(*this, std::move(content), ++last_node);
    node->dependencies = dependencies;
    for (const GraphEdge& edge : dependencies)
        edge.node->dependents.push_back({node.get(), edge.data});
    nodes.push_back(node);
    handles<GraphNode>().add(node);
    // The graph is the only one from now on that frees the memory.
    if (const auto* f = std::get_if<FreeNode>(&node->content->what)) f->memory->freed_by_graph = this;
    if (const auto* child = std::get_if<ChildNode>(&node->content->what)) child->graph->embedded = true;
    return node;
}

void Graph::connect(GraphNode& from, GraphNode& to, const EdgeData& data) {
    const GraphGuard guard;
    if (&from.graph != this || &to.graph != this) fail(CUDA_ERROR_INVALID_VALUE, "a node of another graph");
    check_edge(from, data);
    if (std::any_of(to.dependencies.begin(), to.dependencies.end(), edge_to(from)))
        fail(CUDA_ERROR_INVALID_VALUE, "the nodes are connected already");
    if (&from == &to) fail(CUDA_ERROR_INVALID_VALUE, "a node cannot wait for itself");
    to.dependencies.push_back({&from, data});
    from.dependents.push_back({&to, data});
}

void Graph::disconnect(GraphNode& from, GraphNode& to, const EdgeData* data) {
    const GraphGuard guard;
    if (&from.graph != this || &to.graph != this) fail(CUDA_ERROR_INVALID_VALUE, "a node of another graph");
    if (has_memory_nodes()) fail(CUDA_ERROR_NOT_SUPPORTED, "edges of a graph with memory nodes cannot be removed");
    const auto edge = std::find_if(to.dependencies.begin(), to.dependencies.end(), edge_to(from));
    if (edge == to.dependencies.end() || edge->data != (data ? *data : EdgeData{}))
        fail(CUDA_ERROR_INVALID_VALUE, "there is no such edge");
    to.dependencies.erase(edge);
    std::erase_if(from.dependents, edge_to(to));
}

void Graph::remove(GraphNode& node) {
    const GraphGuard guard;
    if (has_memory_nodes()) fail(CUDA_ERROR_NOT_SUPPORTED, "nodes of a graph with memory nodes cannot be removed");
    if (capturing) fail(CUDA_ERROR_INVALID_VALUE, "nodes of a graph that is captured into cannot be removed");
    for (const GraphEdge& edge : node.dependencies)
        std::erase_if(edge.node->dependents, edge_to(node));
    for (const GraphEdge& edge : node.dependents)
        std::erase_if(edge.node->dependencies, edge_to(node));
    if (const auto* child = std::get_if<ChildNode>(&node.content->what)) child->graph->forget();
    handles<GraphNode>().remove(&node);
    std::erase_if(nodes, [&](const auto& n) { return n.get() == &node; });
}

bool Graph::has_memory_nodes() const {
    return std::any_of(nodes.begin(), nodes.end(), [](const auto& node) {
        const auto* child = std::get_if<ChildNode>(&node->content->what);
        return is_memory_node(*node->content) || (child && child->graph->has_memory_nodes());
    });
}

std::shared_ptr<Graph> Graph::clone(bool embedded_copy) const {
    const GraphGuard guard;
    if (has_memory_nodes()) fail(CUDA_ERROR_NOT_SUPPORTED, "a graph with memory nodes cannot be copied");
    auto copy = std::make_shared<Graph>();
    copy->embedded = embedded_copy;
    copy->cloned_from = this;
    for (const auto& node : nodes) {
        auto content = node->content;
        if (const auto* child = std::get_if<ChildNode>(&content->what)) {
            auto own = std::make_shared<NodeContent>(*content);
            own->what = ChildNode{child->graph->clone(true)};
            content = std::move(own);
        }
        copy->add(std::move(content), {})->cloned_from = node.get();
    }
    std::unordered_map<const GraphNode*, GraphNode*> copies;
    for (std::size_t i = 0; i < nodes.size(); ++i)
        copies[nodes[i].get()] = copy->nodes[i].get();
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        for (const GraphEdge& edge : nodes[i]->dependencies)
            copy->nodes[i]->dependencies.push_back({copies.at(edge.node), edge.data});
        for (const GraphEdge& edge : nodes[i]->dependents)
            copy->nodes[i]->dependents.push_back({copies.at(edge.node), edge.data});
    }
    copy->user_objects.retain_all(user_objects);
    handles<Graph>().add(copy);
    return copy;
}

std::vector<GraphNode*> Graph::sorted() const {
    std::unordered_map<const GraphNode*, std::size_t> waiting;
    std::set<std::pair<std::uint64_t, GraphNode*>> ready; // ids rise in the order of adding
    for (const auto& node : nodes) {
        waiting[node.get()] = node->dependencies.size();
        if (node->dependencies.empty()) ready.insert({node->id, node.get()});
    }
    std::vector<GraphNode*> order;
    order.reserve(nodes.size());
    while (!ready.empty()) {
        GraphNode* node = ready.begin()->second;
        ready.erase(ready.begin());
        order.push_back(node);
        for (const GraphEdge& edge : node->dependents)
            if (--waiting[edge.node] == 0) ready.insert({edge.node->id, edge.node});
    }
    return order;
}

void Graph::forget() {
    const GraphGuard guard;
    handles<Graph>().remove(this);
    for (const auto& node : nodes) {
        handles<GraphNode>().remove(node.get());
        if (const auto* child = std::get_if<ChildNode>(&node->content->what)) child->graph->forget();
    }
}

std::shared_ptr<Graph> graph_of(CUgraph handle) { return handles<Graph>().get(handle, CUDA_ERROR_INVALID_VALUE); }
std::shared_ptr<GraphNode> node_of(CUgraphNode handle) {
    return handles<GraphNode>().get(handle, CUDA_ERROR_INVALID_VALUE);
}

const char* node_type_name(CUgraphNodeType type) {
    switch (static_cast<int>(type)) {
    case CU_GRAPH_NODE_TYPE_KERNEL: return "KERNEL";
    case CU_GRAPH_NODE_TYPE_MEMCPY: return "MEMCPY";
    case CU_GRAPH_NODE_TYPE_MEMSET: return "MEMSET";
    case CU_GRAPH_NODE_TYPE_HOST: return "HOST";
    case CU_GRAPH_NODE_TYPE_GRAPH: return "GRAPH";
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT: return "WAIT_EVENT";
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD: return "EVENT_RECORD";
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC: return "MEM_ALLOC";
    case CU_GRAPH_NODE_TYPE_MEM_FREE: return "MEM_FREE";
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP: return "BATCH_MEM_OP";
    default: return "EMPTY";
    }
}

namespace {

// Numbers of CUgraphDebugDot_flags.
constexpr unsigned kVerbose = 1U << 0, kKernel = 1U << 2, kCopy = 1U << 3, kFill = 1U << 4, kHost = 1U << 5,
                   kEvents = 1U << 6, kAttributes = 1U << 9, kHandles = 1U << 10, kAllocations = 1U << 11,
                   kFrees = 1U << 12, kOperations = 1U << 13;

std::string label_of(GraphNode& node, unsigned flags, std::size_t number) {
    const NodeContent& content = *node.content;
    std::string label = fmt::format("{}\\n{}", number, node_type_name(content.type));
    if (flags & kHandles) label += fmt::format("\\nnode handle {:#x}", reinterpret_cast<std::uintptr_t>(&node));
    if (const auto* k = std::get_if<KernelNode>(&content.what)) {
        label += "\\n" + k->request.function.function->ptx().name;
        if (flags & kHandles) label += fmt::format("\\nfunc handle {:#x}", reinterpret_cast<std::uintptr_t>(k->handle));
        if (flags & kKernel)
            label += fmt::format("\\ngrid {}x{}x{}, block {}x{}x{}, shared {}", k->request.grid[0], k->request.grid[1],
                                 k->request.grid[2], k->request.block[0], k->request.block[1], k->request.block[2],
                                 k->request.dynamic_shared);
        if (flags & kAttributes) label += fmt::format("\\ncooperative {}", k->request.cooperative ? 1 : 0);
    } else if (const auto* c = std::get_if<CopyNode>(&content.what); c && (flags & kCopy)) {
        const auto& p = c->parameters;
        label += fmt::format("\\n{} x {} x {} bytes, memory type {} to {}", p.WidthInBytes, p.Height, p.Depth,
                             static_cast<int>(p.srcMemoryType), static_cast<int>(p.dstMemoryType));
    } else if (const auto* f = std::get_if<FillNode>(&content.what); f && (flags & kFill)) {
        const auto& p = f->parameters;
        label += fmt::format("\\n{:#x}: {} x {} elements of {} bytes, value {:#x}", p.dst, p.width, p.height,
                             p.elementSize, p.value);
    } else if (const auto* h = std::get_if<HostNode>(&content.what); h && (flags & kHost)) {
        label += fmt::format("\\nfn {:#x}, userData {:#x}", reinterpret_cast<std::uintptr_t>(h->parameters.fn),
                             reinterpret_cast<std::uintptr_t>(h->parameters.userData));
    } else if (const auto* e = std::get_if<EventNode>(&content.what); e && (flags & kEvents)) {
        label += fmt::format("\\nevent {:#x}", reinterpret_cast<std::uintptr_t>(e->event.get()));
    } else if (const auto* a = std::get_if<AllocationNode>(&content.what); a && (flags & kAllocations)) {
        label += fmt::format("\\n{} bytes at {:#x}", a->memory->size, a->memory->base);
    } else if (const auto* r = std::get_if<FreeNode>(&content.what); r && (flags & kFrees)) {
        label += fmt::format("\\n{:#x}", r->address);
    } else if (const auto* o = std::get_if<MemoryOperationsNode>(&content.what); o && (flags & kOperations)) {
        label += fmt::format("\\n{} operations", o->operations.size());
    }
    return label;
}

void write_dot(const Graph& graph, unsigned flags, int depth, std::string& text) {
    const std::string indent(static_cast<std::size_t>(depth) * 4, ' ');
    std::unordered_map<const GraphNode*, std::string> names;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        GraphNode& node = *graph.nodes[i];
        const std::string name = fmt::format("graph_{}_node_{}", graph.id, i);
        names[&node] = name;
        text += fmt::format("{}\"{}\" [shape=record, label=\"{}\"];\n", indent, name, label_of(node, flags, i));
        if (const auto* child = std::get_if<ChildNode>(&node.content->what)) {
            text += fmt::format("{}subgraph cluster_{} {{\n{}    label=\"graph_{}\";\n", indent, child->graph->id,
                                indent, child->graph->id);
            write_dot(*child->graph, flags, depth + 1, text);
            text += indent + "}\n";
        }
    }
    for (const auto& node : graph.nodes)
        for (const GraphEdge& edge : node->dependents)
            text += fmt::format("{}\"{}\" -> \"{}\";\n", indent, names[node.get()], names[edge.node]);
}

} // namespace

std::string graph_as_dot(const Graph& graph, unsigned flags) {
    const GraphGuard guard;
    if (flags & kVerbose) flags = ~0U;
    std::string text =
        fmt::format("digraph dot {{\nsubgraph cluster_{} {{\n    label=\"graph_{}\";\n", graph.id, graph.id);
    write_dot(graph, flags, 1, text);
    return text + "}\n}\n";
}

} // namespace warplight::software
