// SPDX-License-Identifier: Apache-2.0
// Comparisons of an affine register with a uniform one. The first and the last lane tell whether `t < n` holds in all
// lanes or in none, so that the branch needs no vector. Where a guard joins several conditions, as `x >= n || y >= m`,
// those that are the same in all lanes are found, and those that two lanes tell.
#include "lanes.hpp"

#include <algorithm>

namespace warplight::jit {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;

namespace {

constexpr std::size_t kMostAgain = 16; ///< instructions: a guard of eight conditions

class Comparisons {
public:
    Comparisons(const ptx::Function& kernel, const ptx::FlowGraph& graph, const LanePlan& plan)
        : f_(kernel), plan_(plan), loops_(graph), writers_(writers_of(kernel)) {}

    void find(LanePlan& plan) const {
        plan.comparisons.clear();
        plan.conditions.clear();
        for (const LaneBlock& block : plan_.blocks) {
            const bool branches = block.successors.size() == 2 && block.begin < block.end;
            plan.comparisons.push_back(branches ? of(block) : std::nullopt);
            plan.conditions.push_back(branches ? joined_in(block) : std::nullopt);
        }
    }

private:
    // --- several conditions

    [[nodiscard]] std::optional<JoinedConditions> joined_in(const LaneBlock& block) const {
        const Instruction& last = f_.instructions[block.end - 1];
        if (!last.guarded || plan_.uniform(last.guard)) return std::nullopt;
        const auto at = still_holds(block, last.guard);
        if (!at || !joins(*at)) return std::nullopt;
        JoinedConditions found;
        found.any = f_.instructions[*at].opcode == Opcode::or_;
        take_apart(block, last.guard, false, found);
        std::ranges::sort(found.again);
        const bool decides = !found.uniform.empty() || !found.compared.empty();
        return decides && found.again.size() <= kMostAgain ? std::optional(std::move(found)) : std::nullopt;
    }

    [[nodiscard]] bool joins(std::uint32_t at) const {
        const Opcode opcode = f_.instructions[at].opcode;
        return (opcode == Opcode::or_ || opcode == Opcode::and_) && f_.instructions[at].type() == ptx::Type::pred;
    }

    void take_apart(const LaneBlock& block, ptx::RegisterId r, bool negated, JoinedConditions& into) const {
        const JoinedConditions::Condition condition{.predicate = r, .negated = negated};
        if (into.again.size() > kMostAgain) return; // an instruction may be met by many ways
        if (plan_.uniform(r)) return into.uniform.push_back(condition);
        const auto at = still_holds(block, r);
        if (!at) return void(into.has_others = true);
        const Instruction& i = f_.instructions[*at];
        const bool is_not = i.opcode == Opcode::not_;
        if (is_not || (joins(*at) && into.any == ((i.opcode == Opcode::or_) != negated))) {
            into.again.push_back(*at);
            for (const Operand& x : ptx::sources_of(i)) {
                if (x.kind == Operand::Kind::reg)
                    take_apart(block, x.reg, negated != (x.negated != is_not), into);
                else
                    into.has_others = true;
            }
        } else if (follows_from_two_lanes(i)) {
            into.again.push_back(*at);
            into.compared.push_back({.predicate = r, .negated = negated, .comparison = *at});
        } else {
            into.has_others = true;
        }
    }

    /// The instruction of the block that gives a register its value at the end, if it would give the same one there.
    [[nodiscard]] std::optional<std::uint32_t> still_holds(const LaneBlock& block, ptx::RegisterId r) const {
        ptx::RegisterSet written(f_.registers.size());
        for (std::uint32_t at = block.end - 1; at-- > block.begin;) {
            const Instruction& i = f_.instructions[at];
            bool is_it = false;
            ptx::each_written(f_, i, [&](ptx::RegisterId w) {
                is_it |= w == r;
                written.insert(w);
            });
            if (!is_it) continue;
            const bool holds = !i.guarded && none_of(i, [&](ptx::RegisterId x) { return written.contains(x); });
            return holds ? std::optional(at) : std::nullopt;
        }
        return std::nullopt;
    }

    // --- one comparison

    [[nodiscard]] std::optional<std::uint32_t> of(const LaneBlock& block) const {
        const Instruction& last = f_.instructions[block.end - 1];
        if (!last.guarded || plan_.uniform(last.guard)) return std::nullopt;
        ptx::RegisterSet written(f_.registers.size());
        for (std::uint32_t at = block.end - 1; at-- > block.begin;) {
            const Instruction& i = f_.instructions[at];
            bool writes_guard = false;
            ptx::each_written(f_, i, [&](ptx::RegisterId r) {
                writes_guard |= r == last.guard;
                written.insert(r);
            });
            if (!writes_guard) continue;
            return follows_from_two_lanes(i) && none_of(i, [&](ptx::RegisterId r) { return written.contains(r); })
                       ? std::optional(at)
                       : std::nullopt;
        }
        // A comparison in another block counts if its operands cannot change in between.
        if (writers_[last.guard].size() != 1) return std::nullopt;
        const std::uint32_t at = writers_[last.guard][0];
        if (!follows_from_two_lanes(f_.instructions[at])) return std::nullopt;
        return none_of(f_.instructions[at], [&](ptx::RegisterId r) { return changes(r); }) ? std::optional(at)
                                                                                           : std::nullopt;
    }

    /// Whether the first and the last lane tell the result of a comparison in all lanes.
    [[nodiscard]] bool follows_from_two_lanes(const Instruction& i) const {
        if (i.opcode != Opcode::setp || i.guarded || i.operands.size() != 3) return false;
        if (i.operands[0].kind != Operand::Kind::reg || ptx::is_float(i.type()) || ptx::bits(i.type()) != 32)
            return false;
        const auto is_affine = [&](const Operand& x) {
            return x.kind == Operand::Kind::reg && !x.negated && plan_.is_affine(x.reg) &&
                   ptx::bits(f_.registers[x.reg].type) == 32;
        };
        const auto is_uniform = [&](const Operand& x) {
            return x.kind == Operand::Kind::integer || (x.kind == Operand::Kind::reg && plan_.uniform(x.reg));
        };
        return (is_affine(i.operands[1]) && is_uniform(i.operands[2])) ||
               (is_uniform(i.operands[1]) && is_affine(i.operands[2]));
    }

    template <class Is>
    [[nodiscard]] bool none_of(const Instruction& i, Is is) const {
        bool any = false;
        ptx::each_read(f_, i, [&](ptx::RegisterId r) { any |= is(r); });
        return !any;
    }

    /// Whether a register may be written again after it was read.
    [[nodiscard]] bool changes(ptx::RegisterId r) const {
        if (writers_[r].size() != 1) return !writers_[r].empty();
        return loops_.contains(plan_.blocks.number_of(writers_[r][0]));
    }

    const ptx::Function& f_;
    const LanePlan& plan_;
    const ptx::Loops loops_;
    std::vector<std::vector<std::uint32_t>> writers_;
};

} // namespace

void find_comparisons(const ptx::Function& kernel, const ptx::FlowGraph& graph, LanePlan& plan) {
    Comparisons(kernel, graph, plan).find(plan);
}

} // namespace warplight::jit
