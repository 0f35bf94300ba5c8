// SPDX-License-Identifier: Apache-2.0
#include "divergence.hpp"

namespace warplight::jit {

using ptx::Instruction;

/// Whether a block has only the end of the kernel.
bool Divergence::is_end(std::uint32_t k) const {
    if (k == plan_.blocks.size()) return true;
    const LaneBlock& block = plan_.blocks[k];
    const Instruction& only = f_.instructions[block.begin];
    return block.end - block.begin == 1 && !only.guarded && ptx::ends_thread(only);
}

bool Divergence::splits_lanes(std::uint32_t k) const {
    const LaneBlock& block = plan_.blocks[k];
    const Instruction& last = f_.instructions[block.end - 1];
    return block.successors.size() >= 2 && plan_.registers.values[last.guard].known && !plan_.uniform(last.guard);
}

/// The blocks between a branch's target and its reconvergence point.
Divergence::BlockFlags Divergence::blocks_between(std::uint32_t branch, std::uint32_t target) const {
    BlockFlags seen(plan_.blocks.size(), false);
    std::vector<std::uint32_t> todo{target};
    while (!todo.empty()) {
        const std::uint32_t at = todo.back();
        todo.pop_back();
        if (at == post_dominators_[branch] || at == plan_.blocks.size() || seen[at]) continue;
        seen[at] = true;
        todo.insert(todo.end(), plan_.blocks[at].successors.begin(), plan_.blocks[at].successors.end());
    }
    return seen;
}

bool Divergence::note_read_elsewhere(const BlockFlags& written_there, const BlockFlags& read_here,
                                     std::uint32_t reconvergence) {
    bool changed = false;
    ptx::RegisterSet read = live_.live_in[reconvergence];
    for (std::uint32_t k = 0; k < read_here.size(); ++k)
        if (read_here[k]) read.insert(live_.live_in[k]);
    for (std::uint32_t k = 0; k < written_there.size(); ++k)
        if (written_there[k])
            live_.written[k].each([&](ptx::RegisterId r) {
                if (read_elsewhere_[r] || !read.contains(r)) return;
                changed = read_elsewhere_[r] = true;
            });
    return changed;
}

/// Marks the blocks on both ways from a branch to its reconvergence point.
bool Divergence::mask_ways(std::uint32_t branch) {
    bool changed = false;
    const LaneBlock& block = plan_.blocks[branch];
    const std::uint32_t reconvergence = post_dominators_[branch];
    const bool ends = is_end(block.successors[0]) || is_end(block.successors[1]); // ended lanes run nowhere else
    const BlockFlags one_way = blocks_between(branch, block.successors[0]),
                     other_way = blocks_between(branch, block.successors[1]);
    if (!ends) {
        changed |= note_read_elsewhere(one_way, other_way, reconvergence);
        changed |= note_read_elsewhere(other_way, one_way, reconvergence);
    }
    for (std::uint32_t at = 0; at < plan_.blocks.size(); ++at) {
        if (!one_way[at] && !other_way[at]) continue;
        // Lanes at a reconvergence point wait only for the blocks before it in the text.
        if (!ends && at > reconvergence && !out_of_order_) out_of_order_ = changed = true;
        LaneBlock& one = plan_.blocks[at];
        const bool divergent = one.divergent || !ends || out_of_order_;
        changed |= !one.masked || one.divergent != divergent;
        one.masked = true;
        one.divergent = divergent;
    }
    return changed;
}

bool Divergence::update() {
    bool changed = false;
    for (std::uint32_t k = 0; k < plan_.blocks.size(); ++k)
        if (splits_lanes(k)) changed |= mask_ways(k);
    if (!out_of_order_) return changed;
    for (std::uint32_t k = 0; k < plan_.blocks.size(); ++k) {
        LaneBlock& block = plan_.blocks[k];
        changed |= block.masked && !block.divergent;
        block.divergent = block.masked;
    }
    return changed;
}

void Divergence::find_reconvergence_points() {
    const auto end = static_cast<std::uint32_t>(plan_.blocks.size());
    for (std::uint32_t k = 0; k < end; ++k) {
        if (!plan_.blocks[k].masked) continue;
        std::uint32_t point = post_dominators_[k];
        while (point != end && plan_.blocks[point].masked)
            point = post_dominators_[point];
        plan_.blocks[k].reconverges_at = point;
    }
}

} // namespace warplight::jit
