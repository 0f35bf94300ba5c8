// SPDX-License-Identifier: Apache-2.0
#include "partial_warps.hpp"

#include <algorithm>

namespace warplight::jit {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;

namespace {

/// The blocks on all ways from some blocks, these included.
std::vector<bool> reached_from(std::vector<std::uint32_t> todo, const LanePlan& plan) {
    std::vector<bool> seen(plan.blocks.size(), false);
    while (!todo.empty()) {
        const std::uint32_t at = todo.back();
        todo.pop_back();
        if (at == plan.blocks.size() || seen[at]) continue;
        seen[at] = true;
        todo.insert(todo.end(), plan.blocks[at].successors.begin(), plan.blocks[at].successors.end());
    }
    return seen;
}

class PartialWarps {
public:
    PartialWarps(const ptx::Function& kernel, const std::vector<std::uint32_t>& post_dominators, const LanePlan& plan)
        : f_(kernel), post_dominators_(post_dominators), plan_(plan) {}

    [[nodiscard]] bool come_together() const {
        for (std::uint32_t k = 0; k < plan_.blocks.size(); ++k) {
            const LaneBlock& block = plan_.blocks[k];
            // Lanes that have ended are not missing, but no mask tells which these are.
            if (block.masked && !all_of(block, [](const Instruction& i) { return !ptx::ends_thread(i); })) return false;
            if (!all_of(block, [&](const Instruction& i) { return is_of_block(i); })) return false;
            if (block.divergent && !others_end(f_, plan_, k) &&
                !all_of(block, [&](const Instruction& i) { return is_of_some(i); }))
                return false;
            if (plan_.parts(f_, k) && has_warp_operation(k, block.successors[0]) &&
                has_warp_operation(k, block.successors[1]))
                return false;
        }
        return true;
    }

private:
    template <class Is>
    [[nodiscard]] bool all_of(const LaneBlock& block, Is is) const {
        return std::all_of(f_.instructions.begin() + block.begin, f_.instructions.begin() + block.end, is);
    }

    /// Whether it is no warp operation, or one of all lanes that execute its block.
    [[nodiscard]] bool is_of_block(const Instruction& i) const {
        return !is_warp_operation(i) || !i.guarded || plan_.uniform(i.guard);
    }

    /// Whether it is no warp operation, or one of named lanes that may be fewer than all.
    [[nodiscard]] bool is_of_some(const Instruction& i) const {
        if (!is_warp_operation(i)) return true;
        const Operand* members = members_of(i);
        if (!members) return false;
        const auto all = plan_.constant_of(*members);
        return !all || static_cast<std::uint32_t>(*all) != ~0U;
    }

    /// Whether a way from a branch to the place where its lanes meet again has one.
    [[nodiscard]] bool has_warp_operation(std::uint32_t branch, std::uint32_t from) const {
        std::vector<bool> seen(plan_.blocks.size(), false);
        std::vector<std::uint32_t> todo{from};
        while (!todo.empty()) {
            const std::uint32_t at = todo.back();
            todo.pop_back();
            if (at == post_dominators_[branch] || at == plan_.blocks.size() || seen[at]) continue;
            seen[at] = true;
            const LaneBlock& block = plan_.blocks[at];
            if (!all_of(block, [](const Instruction& i) { return !is_warp_operation(i); })) return true;
            todo.insert(todo.end(), block.successors.begin(), block.successors.end());
        }
        return false;
    }

    const ptx::Function& f_;
    const std::vector<std::uint32_t>& post_dominators_;
    const LanePlan& plan_;
};

} // namespace

const Operand* members_of(const Instruction& i) {
    switch (i.opcode) {
    case Opcode::shfl: return &i.operands.at(4);
    case Opcode::vote:
    case Opcode::match:
    case Opcode::redux: return &i.operands.at(2);
    case Opcode::elect: return &i.operands.at(1);
    case Opcode::bar:
    case Opcode::barrier: return i.has(Modifier::warp) ? &i.operands.at(0) : nullptr;
    default: return nullptr;
    }
}

bool others_end(const ptx::Function& kernel, const LanePlan& plan, std::uint32_t block) {
    const auto none_of = [&](std::uint32_t k, const auto& is) {
        return std::none_of(kernel.instructions.begin() + plan.blocks[k].begin,
                            kernel.instructions.begin() + plan.blocks[k].end, is);
    };
    const auto waits = [](const Instruction& i) { return ptx::may_suspend(i) || is_warp_operation(i); };
    const std::vector<std::uint32_t> next(plan.blocks[block].successors.begin(), plan.blocks[block].successors.end());
    const std::vector<bool> behind = reached_from(next, plan),
                            elsewhere = reached_from({plan.blocks[block].reconverges_at}, plan);
    if (behind[block]) return false;
    for (std::uint32_t k = 0; k < plan.blocks.size(); ++k)
        if ((elsewhere[k] || (plan.blocks[k].divergent && k != block)) && !none_of(k, waits)) return false;
    return none_of(block, [](const Instruction& i) { return is_warp_operation(i) && !members_of(i); });
}

bool members_come_together(const ptx::Function& kernel, const std::vector<std::uint32_t>& post_dominators,
                           const LanePlan& plan) {
    return PartialWarps(kernel, post_dominators, plan).come_together();
}

} // namespace warplight::jit
