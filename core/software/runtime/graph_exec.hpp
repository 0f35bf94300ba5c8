// SPDX-License-Identifier: Apache-2.0
// Executable graphs: the operations of a graph in an order that they can be submitted in, spread over branches that run
// side by side.
#pragma once

#include "graph.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace warplight::software {

/// The answer of cuGraphExecUpdate for a graph that does not fit.
struct GraphMismatch {
    CUgraphExecUpdateResult result;
    CUgraphNode node = nullptr;
    CUgraphNode from = nullptr;
};

class GraphExec : public std::enable_shared_from_this<GraphExec> {
public:
    enum Flag : unsigned { auto_free = 1, upload_after = 2, device_launch = 4, node_priority = 8 };
    /// Makes it known as a handle. Throws the driver's codes; `offender` is then a node that is to blame, or null.
    [[nodiscard]] static std::shared_ptr<GraphExec> instantiate(Graph& graph, unsigned long long flags,
                                                                CUgraphNode& offender);
    ~GraphExec();
    GraphExec(const GraphExec&) = delete;
    GraphExec& operator=(const GraphExec&) = delete;

    const unsigned long long flags;

    /// Runs after the work of the stream, and after the last launch of this graph.
    void launch(const std::shared_ptr<Stream>& stream);
    void upload(const std::shared_ptr<Stream>& stream);

    // A node of the graph it was made of. These change later launches. They throw CUDA_ERROR_INVALID_VALUE for other
    // nodes, and for changes that are not possible.
    [[nodiscard]] const NodeContent& content(const GraphNode& node) const;
    void set_content(const GraphNode& node, std::shared_ptr<const NodeContent> content);
    void set_child(const GraphNode& node, const Graph& graph);
    [[nodiscard]] bool enabled(const GraphNode& node) const;
    void set_enabled(const GraphNode& node, bool enabled);

    /// Takes all contents, or none; then the mismatch is returned.
    [[nodiscard]] std::optional<GraphMismatch> update(const Graph& graph);

private:
    struct Operation {
        std::shared_ptr<const NodeContent> content;
        std::vector<std::size_t> dependencies;
        std::size_t branch = 0; ///< 0: the stream of the launch
        bool enabled = true;
    };
    /// Operations of a branch, one right after the other: one piece of work for its stream.
    struct Step {
        std::size_t branch = 0;
        std::vector<std::size_t> after;                           ///< steps of other branches
        std::vector<std::shared_ptr<const NodeContent>> contents; ///< to carry out; those that are enabled
        std::shared_ptr<const NodeContent> event;                 ///< of an operation on an event, which is alone
    };
    struct Plan {
        bool joined = false; ///< where it may be, a step has several operations
        std::vector<Step> steps;
    };
    /// The graph as it was.
    struct Shape;
    struct Entry {
        CUgraphNodeType type = CU_GRAPH_NODE_TYPE_EMPTY;
        std::vector<std::size_t> dependencies; ///< entries
        std::size_t operation = 0;
        std::shared_ptr<Shape> child;
    };
    struct Shape {
        std::vector<Entry> entries; ///< in the order in which the nodes were added
    };
    using Changes = std::vector<std::pair<std::size_t, std::shared_ptr<const NodeContent>>>;

    explicit GraphExec(unsigned long long with_flags) : flags(with_flags) {}
    std::vector<std::size_t> flatten(const Graph& graph, Shape& shape, const std::vector<std::size_t>& before,
                                     CUgraphNode& offender);
    void spread();
    void take_memory() const;
    void prepare_branches(Context& context);
    [[nodiscard]] std::shared_ptr<const Plan> plan();
    [[nodiscard]] std::shared_ptr<const Plan> make_plan(bool joined) const;
    static void carry_out(const Step& step, const ContextState& context);
    [[nodiscard]] const Entry& entry_of(const GraphNode& node) const;
    [[nodiscard]] Operation& operation_of(const GraphNode& node);
    [[nodiscard]] static std::optional<GraphMismatch> compare(const std::vector<Operation>& operations,
                                                              const Shape& shape, const Graph& graph, Changes& changes);

    std::vector<Operation> operations_; ///< each after its dependencies
    std::size_t branch_count_ = 1;
    std::shared_ptr<const Plan>
        plan_; ///< of operations_ as they are; null: none is made yet. Launches under way keep it
    std::shared_ptr<Shape> shape_ = std::make_shared<Shape>();
    std::unordered_map<std::uint64_t, const Entry*> entries_; ///< by the node's id
    std::vector<std::shared_ptr<Context>> contexts_;
    std::vector<std::shared_ptr<Graph>> children_; ///< kept, as entries refer to their nodes
    std::shared_ptr<UserObjects> user_objects_ = std::make_shared<UserObjects>();
    std::shared_ptr<Context> branches_context_;
    std::vector<std::shared_ptr<Stream>> branches_; ///< without the first
    Ticket last_;
};

/// Whether a node of an executable graph may do that from now on.
[[nodiscard]] CUgraphExecUpdateResult changeable(const NodeContent& from, const NodeContent& to);

} // namespace warplight::software
