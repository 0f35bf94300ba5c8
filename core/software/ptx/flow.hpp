// SPDX-License-Identifier: Apache-2.0
// A function's control flow and data flow: basic blocks, loops, post-dominators, live registers, writers.
#pragma once

#include "module.hpp"
#include "register_set.hpp"

#include <cstdint>
#include <limits>
#include <vector>

namespace warplight::ptx {

struct BasicBlock {
    std::uint32_t begin = 0, end = 0; ///< instructions
    /// Blocks; FlowGraph::end() stands for the end of the function. A branch's target comes before the block that
    /// follows in the text.
    std::vector<std::uint32_t> successors;
};

/// Where a thread goes after a trap. It goes nowhere, but lanes that do not trap reconverge where the text says.
enum class AfterTrap : std::uint8_t { next_instruction, end };

/// The basic blocks in the order of the text. Unreached blocks are among them.
class FlowGraph {
public:
    explicit FlowGraph(const Function& function, AfterTrap after_trap = AfterTrap::next_instruction);

    [[nodiscard]] const std::vector<BasicBlock>& blocks() const { return blocks_; }
    /// The number of blocks, which stands for the end of the function.
    [[nodiscard]] std::uint32_t end() const { return static_cast<std::uint32_t>(blocks_.size()); }
    /// By instruction. One more than there are: the end of the function.
    [[nodiscard]] const std::vector<std::uint32_t>& block_of() const { return block_of_; }
    /// Of a block or of the end: the blocks that have it as a successor.
    [[nodiscard]] const std::vector<std::uint32_t>& predecessors(std::uint32_t block) const {
        return predecessors_[block];
    }

private:
    void find_blocks(const Function& function, AfterTrap after_trap);

    std::vector<BasicBlock> blocks_;
    std::vector<std::uint32_t> block_of_;
    std::vector<std::vector<std::uint32_t>> predecessors_;
};

/// The instructions that a branch may go to, itself apart from the one that follows; none of other instructions.
[[nodiscard]] std::vector<std::uint32_t> branch_targets(const Function& function, const Instruction& instruction);

/// The loops: strongly connected parts of the graph, however they are entered. A nest of loops counts as one.
class Loops {
public:
    static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

    explicit Loops(const FlowGraph& graph);

    [[nodiscard]] const std::vector<std::vector<std::uint32_t>>& all() const { return loops_; } ///< their blocks
    /// Of a block: its index in all(), or kNone. The end of the function is in no loop.
    [[nodiscard]] std::uint32_t loop_of(std::uint32_t block) const { return loop_of_[block]; }
    [[nodiscard]] bool contains(std::uint32_t block) const { return loop_of_[block] != kNone; }

private:
    void add(const FlowGraph& graph, std::vector<std::uint32_t> component);

    std::vector<std::vector<std::uint32_t>> loops_;
    std::vector<std::uint32_t> loop_of_;
};

/// A branch to its own block or to one before it in the text.
struct BackEdge {
    std::uint32_t from = 0, to = 0; ///< blocks
};
/// In the order of the text. Compilers lay out a loop's blocks between its head and its back edge.
[[nodiscard]] std::vector<BackEdge> back_edges(const FlowGraph& graph);
/// By block: whether it lies between the head and the back edge of a loop. Cheaper than Loops, and a block there that
/// leaves the loop counts as well.
[[nodiscard]] std::vector<bool> between_back_edges(const FlowGraph& graph);

/// The immediate post-dominator of each block and of the end: the first block on every way from there to the end. An
/// unreached block without a way to the end has the end. Empty if a reached block has no way to the end.
[[nodiscard]] std::vector<std::uint32_t> post_dominators(const FlowGraph& graph);

/// The registers whose values are still read. A guarded write counts as a read, as the value before may stay.
struct Liveness {
    std::vector<RegisterSet> live_in; ///< by block, and of the end: read there or later, before they are replaced
    std::vector<RegisterSet> written; ///< by block
    std::vector<bool> block_local;    ///< by register: no block reads what another one wrote

    Liveness(const Function& function, const FlowGraph& graph);
};

/// By register: the instructions that write it, in their order.
[[nodiscard]] std::vector<std::vector<std::uint32_t>> writers_of(const Function& function);

} // namespace warplight::ptx
