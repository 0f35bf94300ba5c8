// SPDX-License-Identifier: Apache-2.0
// Spin loops end when another thread acts. Divergent lanes execute one way at a time up to their reconvergence point,
// so a lane that waits for another lane of its vector waits for ever. A spin loop is safe in two cases: it is not
// divergent, or only one lane spins, and needs nothing of the other lanes before they reconverge.
#include "lanes.hpp"

#include <algorithm>

namespace warplight::jit {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;

namespace {

class SpinLoops {
public:
    SpinLoops(const ptx::Function& kernel, const LanePlan& plan)
        : f_(kernel), plan_(plan), writers_(writers_of(kernel)) {}

    [[nodiscard]] bool ends(std::uint32_t branch) const {
        const LaneBlock& block = plan_.blocks.of(branch);
        if (!block.masked || !block.divergent) return true; // its lanes run together until they leave
        return is_of_one_lane(block.reconverges_at) && !writes_from(block.reconverges_at);
    }

private:
    [[nodiscard]] bool within(std::uint32_t k, std::uint32_t point) const {
        return k < plan_.blocks.size() && plan_.blocks[k].masked && plan_.blocks[k].reconverges_at == point;
    }

    /// Whether at most one lane enters the blocks before a reconvergence point. The others go straight to that point.
    [[nodiscard]] bool is_of_one_lane(std::uint32_t point) const {
        for (std::uint32_t k = 0; k < plan_.blocks.size(); ++k) {
            if (within(k, point)) continue;
            const auto& to = plan_.blocks[k].successors;
            for (std::size_t way = 0; way < to.size(); ++way) {
                if (!within(to[way], point)) continue;
                const Instruction& last = f_.instructions[plan_.blocks[k].end - 1];
                if (to.size() != 2 || plan_.blocks[k].masked || to[1 - way] != point) return false;
                if (!holds_for_one(last.guard, (way == 0) != last.guard_negated)) return false;
            }
        }
        return true;
    }

    /// Whether at most one lane has the predicate equal to `value`.
    [[nodiscard]] bool holds_for_one(ptx::RegisterId predicate, bool value) const {
        if (writers_[predicate].size() != 1) return false;
        const Instruction& i = f_.instructions[writers_[predicate][0]];
        if (i.opcode != Opcode::setp || i.guarded || i.operands.size() != 3 ||
            i.operands[0].kind != Operand::Kind::reg || !i.has(value ? Modifier::eq : Modifier::ne) ||
            ptx::is_float(i.type()) || ptx::bits(i.type()) < 32)
            return false;
        const auto x = plan_.stride_of(i.operands[1]), y = plan_.stride_of(i.operands[2]);
        if (!x || !y) return false;
        const std::int64_t difference = *x - *y;
        return difference != 0 && std::abs(difference) < kLargest; // no two of 32 lanes are equal, even modulo 2^32
    }

    /// Whether a lane may write for other threads after `start`. A barrier ends the search: the spinning lane must
    /// reach it too.
    [[nodiscard]] bool writes_from(std::uint32_t start) const {
        const auto n = static_cast<std::uint32_t>(plan_.blocks.size());
        std::vector<bool> seen(n + 1, false);
        std::vector<std::uint32_t> todo{start};
        while (!todo.empty()) {
            const std::uint32_t k = todo.back();
            todo.pop_back();
            if (k == n || seen[k]) continue;
            seen[k] = true;
            bool held = false;
            for (std::uint32_t at = plan_.blocks[k].begin; !held && at < plan_.blocks[k].end; ++at) {
                if (ptx::writes_for_others(f_.instructions[at])) return true;
                held = is_block_barrier(f_.instructions[at]);
            }
            if (!held)
                for (const std::uint32_t s : plan_.blocks[k].successors)
                    todo.push_back(s);
        }
        return false;
    }

    static constexpr std::int64_t kLargest = std::int64_t{1} << 26;

    const ptx::Function& f_;
    const LanePlan& plan_;
    const std::vector<std::vector<std::uint32_t>> writers_;
};

} // namespace

bool spin_loops_end(const ptx::Function& kernel, const FunctionFacts& facts, const LanePlan& plan) {
    const SpinLoops loops(kernel, plan);
    return std::all_of(facts.spinning_branches.begin(), facts.spinning_branches.end(),
                       [&](std::uint32_t branch) { return loops.ends(branch); });
}

} // namespace warplight::jit
