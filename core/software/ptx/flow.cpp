// SPDX-License-Identifier: Apache-2.0
#include "flow.hpp"

#include "effects.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace warplight::ptx {

// --- basic blocks

std::vector<std::uint32_t> branch_targets(const Function& function, const Instruction& i) {
    std::vector<std::uint32_t> targets;
    for (const Operand& operand : i.operands) {
        if (operand.kind == Operand::Kind::label) targets.push_back(function.labels.at(operand.index).instruction);
        if (operand.kind == Operand::Kind::branch_targets)
            for (const LabelId label : function.branch_targets.at(operand.index).labels)
                targets.push_back(function.labels.at(label).instruction);
    }
    return targets;
}

FlowGraph::FlowGraph(const Function& function, AfterTrap after_trap) {
    find_blocks(function, after_trap);
    predecessors_.resize(blocks_.size() + 1);
    for (std::uint32_t k = 0; k < end(); ++k) {
        BasicBlock& block = blocks_[k];
        const Instruction& last = function.instructions[block.end - 1];
        const bool traps = after_trap == AfterTrap::end && last.opcode == Opcode::trap;
        for (const std::uint32_t target : branch_targets(function, last))
            block.successors.push_back(block_of_[target]);
        if (ends_thread(last) || traps) block.successors.push_back(end());
        if (last.guarded || (!ends_block(last) && !traps)) block.successors.push_back(k + 1);
        for (const std::uint32_t next : block.successors)
            predecessors_[next].push_back(k);
    }
}

void FlowGraph::find_blocks(const Function& function, AfterTrap after_trap) {
    const auto count = static_cast<std::uint32_t>(function.instructions.size());
    std::vector<bool> begins(count + 1, false);
    begins[0] = true;
    for (const Label& label : function.labels)
        begins[std::min(label.instruction, count)] = true;
    for (std::uint32_t k = 0; k < count; ++k) {
        const Instruction& i = function.instructions[k];
        if (ends_block(i) || (after_trap == AfterTrap::end && i.opcode == Opcode::trap)) begins[k + 1] = true;
    }
    block_of_.resize(count + 1);
    for (std::uint32_t k = 0; k < count; ++k) {
        if (begins[k]) blocks_.push_back({k, k, {}});
        blocks_.back().end = k + 1;
        block_of_[k] = end() - 1;
    }
    block_of_[count] = end();
}

// --- loops

namespace {

/// Tarjan's algorithm, without recursion: functions of thousands of blocks are ordinary.
class Components {
public:
    explicit Components(const FlowGraph& graph)
        : graph_(graph), index_(graph.end() + 1, kUnseen), lowest_(graph.end() + 1), open_(graph.end() + 1) {
        index_[graph.end()] = 0; // the end of the function is no block
    }

    /// Calls take(blocks) for each strongly connected part.
    template <class Take>
    void each(Take take) {
        for (std::uint32_t root = 0; root < graph_.end(); ++root) {
            if (index_[root] != kUnseen) continue;
            enter(root);
            while (!frames_.empty())
                if (!go_on()) leave(take);
        }
    }

private:
    static constexpr std::uint32_t kUnseen = ~0u;
    struct Frame {
        std::uint32_t block;
        std::size_t next = 0; ///< of its successors
    };

    void enter(std::uint32_t block) {
        index_[block] = lowest_[block] = ++counter_;
        stack_.push_back(block);
        open_[block] = true;
        frames_.push_back({block});
    }
    /// To the next successor of the block on top, if there is one.
    bool go_on() {
        Frame& top = frames_.back();
        const auto& successors = graph_.blocks()[top.block].successors;
        if (top.next == successors.size()) return false;
        const std::uint32_t to = successors[top.next++];
        if (index_[to] == kUnseen)
            enter(to);
        else if (open_[to])
            lowest_[top.block] = std::min(lowest_[top.block], index_[to]);
        return true;
    }
    template <class Take>
    void leave(Take take) {
        const std::uint32_t block = frames_.back().block;
        frames_.pop_back();
        if (!frames_.empty()) {
            std::uint32_t& before = lowest_[frames_.back().block];
            before = std::min(before, lowest_[block]);
        }
        if (lowest_[block] != index_[block]) return;
        const auto first = std::find(stack_.rbegin(), stack_.rend(), block).base() - 1;
        std::vector<std::uint32_t> component(first, stack_.end());
        stack_.erase(first, stack_.end());
        for (const std::uint32_t member : component)
            open_[member] = false;
        take(std::move(component));
    }

    const FlowGraph& graph_;
    std::vector<std::uint32_t> index_, lowest_, stack_;
    std::vector<bool> open_;
    std::vector<Frame> frames_;
    std::uint32_t counter_ = 0;
};

} // namespace

Loops::Loops(const FlowGraph& graph) : loop_of_(graph.end() + 1, kNone) {
    Components(graph).each([&](std::vector<std::uint32_t> component) { add(graph, std::move(component)); });
}

void Loops::add(const FlowGraph& graph, std::vector<std::uint32_t> component) {
    const auto& next = graph.blocks()[component[0]].successors;
    const bool goes_round = component.size() > 1 || std::find(next.begin(), next.end(), component[0]) != next.end();
    if (!goes_round) return;
    for (const std::uint32_t block : component)
        loop_of_[block] = static_cast<std::uint32_t>(loops_.size());
    loops_.push_back(std::move(component));
}

std::vector<BackEdge> back_edges(const FlowGraph& graph) {
    std::vector<BackEdge> edges;
    for (std::uint32_t from = 0; from < graph.end(); ++from)
        for (const std::uint32_t to : graph.blocks()[from].successors)
            if (to <= from) edges.push_back({from, to});
    return edges;
}

std::vector<bool> between_back_edges(const FlowGraph& graph) {
    std::vector<bool> between(graph.end(), false);
    for (const BackEdge& edge : back_edges(graph))
        std::fill(between.begin() + edge.to, between.begin() + edge.from + 1, true);
    return between;
}

// --- post-dominators

namespace {

constexpr std::uint32_t kNoBlock = std::numeric_limits<std::uint32_t>::max();

/// The blocks from which the end is reached, in postorder of the reversed graph: the end itself comes last.
std::vector<std::uint32_t> order_from_end(const FlowGraph& graph) {
    std::vector<std::uint32_t> order;
    std::vector<bool> entered(graph.end() + 1, false);
    std::vector<std::pair<std::uint32_t, std::size_t>> stack{{graph.end(), 0}};
    entered[graph.end()] = true;
    while (!stack.empty()) {
        auto& [at, next] = stack.back();
        const std::vector<std::uint32_t>& before = graph.predecessors(at);
        if (next == before.size()) {
            order.push_back(at);
            stack.pop_back();
            continue;
        }
        const std::uint32_t to = before[next++];
        if (entered[to]) continue;
        entered[to] = true;
        stack.emplace_back(to, 0);
    }
    return order;
}

bool all_reached_are_in(const FlowGraph& graph, const std::vector<std::uint32_t>& number) {
    std::vector<bool> reached(graph.end() + 1, false);
    std::vector<std::uint32_t> todo{0};
    reached[0] = true;
    while (!todo.empty()) {
        const std::uint32_t block = todo.back();
        todo.pop_back();
        if (number[block] == kNoBlock) return false;
        if (block == graph.end()) continue;
        for (const std::uint32_t next : graph.blocks()[block].successors) {
            if (reached[next]) continue;
            reached[next] = true;
            todo.push_back(next);
        }
    }
    return true;
}

} // namespace

/// The algorithm of Cooper, Harvey and Kennedy on the reversed graph.
std::vector<std::uint32_t> post_dominators(const FlowGraph& graph) {
    const std::vector<std::uint32_t> order = order_from_end(graph);
    std::vector<std::uint32_t> number(graph.end() + 1, kNoBlock); // in that order
    for (std::uint32_t k = 0; k < order.size(); ++k)
        number[order[k]] = k;
    if (!all_reached_are_in(graph, number)) return {};
    std::vector<std::uint32_t> immediate(graph.end() + 1, kNoBlock);
    immediate[graph.end()] = graph.end();
    const auto common = [&](std::uint32_t a, std::uint32_t b) {
        while (a != b) {
            while (number[a] < number[b])
                a = immediate[a];
            while (number[b] < number[a])
                b = immediate[b];
        }
        return a;
    };
    for (bool again = true; again;) {
        again = false;
        for (auto at = order.rbegin() + 1; at != order.rend(); ++at) {
            std::uint32_t to = kNoBlock;
            for (const std::uint32_t next : graph.blocks()[*at].successors)
                if (immediate[next] != kNoBlock) to = to == kNoBlock ? next : common(to, next);
            again |= immediate[*at] != to;
            immediate[*at] = to;
        }
    }
    std::replace(immediate.begin(), immediate.end(), kNoBlock, graph.end());
    return immediate;
}

// --- registers

Liveness::Liveness(const Function& function, const FlowGraph& graph)
    : live_in(graph.end() + 1, RegisterSet(function.registers.size())),
      written(graph.end(), RegisterSet(function.registers.size())), block_local(function.registers.size(), true) {
    std::vector<RegisterSet> replaced = written; // for certain, by block
    std::vector<std::uint32_t> todo;
    for (std::uint32_t k = 0; k < graph.end(); ++k) {
        const BasicBlock& block = graph.blocks()[k];
        todo.push_back(k);
        for (std::uint32_t at = block.begin; at < block.end; ++at) {
            const Instruction& i = function.instructions[at];
            const auto read = [&](RegisterId r) {
                if (replaced[k].contains(r)) return;
                block_local[r] = false;
                live_in[k].insert(r);
            };
            each_read(function, i, read);
            each_written(function, i, [&](RegisterId r) {
                written[k].insert(r);
                if (i.guarded)
                    read(r); // the value before may stay
                else
                    replaced[k].insert(r);
            });
        }
    }
    std::vector<bool> waits(graph.end(), true);
    while (!todo.empty()) {
        const std::uint32_t k = todo.back();
        todo.pop_back();
        waits[k] = false;
        RegisterSet behind(function.registers.size());
        for (const std::uint32_t next : graph.blocks()[k].successors)
            behind.insert(live_in[next]);
        behind.remove(replaced[k]);
        if (!live_in[k].insert(behind)) continue;
        for (const std::uint32_t before : graph.predecessors(k)) {
            if (waits[before]) continue;
            waits[before] = true;
            todo.push_back(before);
        }
    }
}

std::vector<std::vector<std::uint32_t>> writers_of(const Function& function) {
    std::vector<std::vector<std::uint32_t>> writers(function.registers.size());
    for (std::uint32_t at = 0; at < function.instructions.size(); ++at)
        each_written(function, function.instructions[at], [&](RegisterId r) { writers[r].push_back(at); });
    return writers;
}

} // namespace warplight::ptx
