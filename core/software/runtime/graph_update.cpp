// SPDX-License-Identifier: Apache-2.0
// Whether a graph differs from the one that an executable graph was made of only in the contents of its nodes.
#include "context.hpp"
#include "failure.hpp"
#include "graph_exec.hpp"

#include <algorithm>
#include <tuple>

namespace warplight::software {
namespace {

bool same_extent(const CUDA_MEMSET_NODE_PARAMS& a, const CUDA_MEMSET_NODE_PARAMS& b) {
    return std::tie(a.width, a.height, a.pitch, a.elementSize) == std::tie(b.width, b.height, b.pitch, b.elementSize);
}

} // namespace

CUgraphExecUpdateResult changeable(const NodeContent& from, const NodeContent& to) {
    constexpr auto changed = CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED;
    if (const auto* old = std::get_if<KernelNode>(&from.what)) {
        const auto& now = std::get<KernelNode>(to.what);
        if (&old->request.function.module->context != &now.request.function.module->context)
            return static_cast<CUgraphExecUpdateResult>(7); // UNSUPPORTED_FUNCTION_CHANGE
        if (old->request.cooperative != now.request.cooperative)
            return static_cast<CUgraphExecUpdateResult>(8); // ATTRIBUTES_CHANGED
    } else if (const auto* copy = std::get_if<CopyNode>(&from.what)) {
        const auto& now = std::get<CopyNode>(to.what).parameters;
        if (copy->parameters.srcMemoryType != now.srcMemoryType || copy->parameters.dstMemoryType != now.dstMemoryType)
            return changed;
    } else if (const auto* fill = std::get_if<FillNode>(&from.what)) {
        const auto& now = std::get<FillNode>(to.what).parameters;
        const bool flat = fill->parameters.height <= 1 && now.height <= 1;
        if (!flat && !same_extent(fill->parameters, now)) return changed;
    } else if (const auto* memory = std::get_if<AllocationNode>(&from.what)) {
        if (memory->memory != std::get<AllocationNode>(to.what).memory) return changed;
    } else if (const auto* freed = std::get_if<FreeNode>(&from.what)) {
        if (freed->memory != std::get<FreeNode>(to.what).memory) return changed;
    } else if (const auto* operations = std::get_if<MemoryOperationsNode>(&from.what)) {
        const auto& now = std::get<MemoryOperationsNode>(to.what).operations;
        if (!std::equal(operations->operations.begin(), operations->operations.end(), now.begin(), now.end(),
                        [](const auto& a, const auto& b) { return a.operation == b.operation; }))
            return changed;
    }
    return CU_GRAPH_EXEC_UPDATE_SUCCESS;
}

std::optional<GraphMismatch> GraphExec::compare(const std::vector<Operation>& operations, const Shape& shape,
                                                const Graph& graph, Changes& changes) {
    constexpr auto topology = CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED;
    if (shape.entries.size() != graph.nodes.size()) return GraphMismatch{topology};
    std::unordered_map<const GraphNode*, std::size_t> numbers;
    for (const auto& node : graph.nodes)
        numbers.emplace(node.get(), numbers.size());
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const Entry& entry = shape.entries[i];
        GraphNode& node = *graph.nodes[i];
        if (entry.dependencies.size() != node.dependencies.size()) return GraphMismatch{topology, node.handle()};
        for (const GraphEdge& edge : node.dependencies)
            if (std::find(entry.dependencies.begin(), entry.dependencies.end(), numbers.at(edge.node)) ==
                entry.dependencies.end())
                return GraphMismatch{topology, node.handle(), edge.node->handle()};
        if (entry.type != node.content->type)
            return GraphMismatch{CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED, node.handle()};
        if (const auto* child = std::get_if<ChildNode>(&node.content->what)) {
            if (auto mismatch = compare(operations, *entry.child, *child->graph, changes)) return mismatch;
            continue;
        }
        const auto result = changeable(*operations[entry.operation].content, *node.content);
        if (result != CU_GRAPH_EXEC_UPDATE_SUCCESS) return GraphMismatch{result, node.handle()};
        changes.emplace_back(entry.operation, node.content);
    }
    return std::nullopt;
}

std::optional<GraphMismatch> GraphExec::update(const Graph& graph) {
    const GraphGuard guard;
    Changes changes;
    if (auto mismatch = compare(operations_, *shape_, graph, changes)) return mismatch;
    for (auto& [operation, content] : changes)
        operations_[operation].content = std::move(content);
    plan_.reset();
    return std::nullopt;
}

void GraphExec::set_child(const GraphNode& node, const Graph& graph) {
    const GraphGuard guard;
    const Entry& entry = entry_of(node);
    if (!entry.child) fail(CUDA_ERROR_INVALID_VALUE, "the node has no child graph");
    Changes changes;
    if (compare(operations_, *entry.child, graph, changes))
        fail(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE, "the child graph has another shape");
    for (auto& [operation, content] : changes)
        operations_[operation].content = std::move(content);
    plan_.reset();
}

} // namespace warplight::software
