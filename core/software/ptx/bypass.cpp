// SPDX-License-Identifier: Apache-2.0
#include "bypass.hpp"

#include "effects.hpp"
#include "flow.hpp"

#include <algorithm>
#include <vector>

namespace warplight::ptx {
namespace {

bool does_something(const Instruction& i) {
    switch (group_of(i.opcode)) {
    case OpcodeGroup::call:
    case OpcodeGroup::barrier:
    case OpcodeGroup::warp: return true;
    default: return writes_for_others(i);
    }
}

/// The blocks on ways from some of them, by `next`, that do not go through `wall`.
template <class Next>
std::vector<bool> reached(const FlowGraph& graph, std::vector<std::uint32_t> from, std::uint32_t wall, Next next) {
    std::vector<bool> found(graph.blocks().size() + 1, false);
    while (!from.empty()) {
        const std::uint32_t block = from.back();
        from.pop_back();
        if (block == wall || found[block]) continue;
        found[block] = true;
        for (const std::uint32_t each : next(block))
            from.push_back(each);
    }
    return found;
}

} // namespace

bool is_bypassed(const Function& function, std::uint32_t instruction) {
    if (instruction >= function.instructions.size()) return false;
    const FlowGraph graph(function);
    const auto& blocks = graph.blocks();
    const std::uint32_t own = graph.block_of()[instruction];
    const std::uint32_t none = graph.end() + 1;
    const auto after = [&](std::uint32_t block) {
        return block == graph.end() ? std::vector<std::uint32_t>() : blocks[block].successors;
    };
    const auto before = [&](std::uint32_t block) { return graph.predecessors(block); };
    const auto acts = [&](std::uint32_t begin, std::uint32_t end) {
        return std::any_of(function.instructions.begin() + begin, function.instructions.begin() + end, does_something);
    };
    const std::vector<bool> behind = reached(graph, after(own), none, after);
    // By its guard a thread passes it in its own block.
    const bool is_guarded = function.instructions[instruction].guarded;
    if (is_guarded && acts(instruction + 1, blocks[own].end)) return true;
    const std::vector<bool> around = reached(graph, {0}, is_guarded ? none : own, after);
    const std::vector<bool> comes = reached(graph, before(own), none, before);
    for (std::uint32_t block = 0; block < blocks.size(); ++block)
        if (around[block] && behind[block] && !comes[block] && block != own &&
            acts(blocks[block].begin, blocks[block].end))
            return true;
    return false;
}

} // namespace warplight::ptx
