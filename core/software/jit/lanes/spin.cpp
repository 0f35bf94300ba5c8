// SPDX-License-Identifier: Apache-2.0
// Loops that wait for other threads, where threads run side by side. Lanes that are apart go on one way at a time, up
// to where all meet: a lane that waits for another one of its vector would wait for ever. So such a loop is left to
// lanes that are all there, or to a single one for which no other lane of its vector can do anything before they meet.
#include "lanes.hpp"

#include <algorithm>

namespace warplight::jit {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;

namespace {

/// Whether other threads may see what it does.
bool writes_memory(const Instruction& i) {
    if (i.opcode == Opcode::st && (i.space == ptx::Space::local || i.space == ptx::Space::param)) return false;
    return ptx::effects_of(i).writes_memory;
}

class Spins {
public:
    Spins(const ptx::Function& kernel, const LanePlan& plan) : f_(kernel), plan_(plan) {}

    [[nodiscard]] bool gets_on(std::uint32_t branch) const {
        const LaneBlock& block = plan_.blocks[plan_.block_of[branch]];
        if (!block.diverged || !block.apart) return true; // whoever is left is there
        return is_of_one_lane(block.join) && !writes_from(block.join);
    }

private:
    [[nodiscard]] bool within(std::uint32_t k, std::uint32_t join) const {
        return k < plan_.blocks.size() && plan_.blocks[k].diverged && plan_.blocks[k].join == join;
    }

    /// Whether all ways into what lies before the join are for one lane, while all others go to the join at once.
    [[nodiscard]] bool is_of_one_lane(std::uint32_t join) const {
        for (std::uint32_t k = 0; k < plan_.blocks.size(); ++k) {
            if (within(k, join)) continue;
            const auto& to = plan_.blocks[k].successors;
            for (std::size_t way = 0; way < to.size(); ++way) {
                if (!within(to[way], join)) continue;
                const Instruction& last = f_.instructions[plan_.blocks[k].end - 1];
                if (to.size() != 2 || plan_.blocks[k].diverged || to[1 - way] != join) return false;
                if (!holds_for_one(last.guard, (way == 0) != last.guard_negated)) return false;
            }
        }
        return true;
    }

    /// Whether a predicate is `value` in one lane at most.
    [[nodiscard]] bool holds_for_one(ptx::RegisterId predicate, bool value) const {
        const Instruction* written = nullptr;
        for (const Instruction& i : f_.instructions) {
            bool writes = false;
            ptx::each_written(f_, i, [&](ptx::RegisterId r) { writes |= r == predicate; });
            if (!writes) continue;
            if (written) return false;
            written = &i;
        }
        if (!written || written->opcode != Opcode::setp || written->guarded || written->operands.size() != 3 ||
            written->operands[0].kind != Operand::Kind::reg || !written->has(value ? Modifier::eq : Modifier::ne) ||
            ptx::is_float(written->type()) || ptx::bits(written->type()) < 32)
            return false;
        const auto x = plan_.stride_of(written->operands[1]), y = plan_.stride_of(written->operands[2]);
        if (!x || !y) return false;
        const std::int64_t apart = *x - *y;
        return apart != 0 && std::abs(apart) < kLargest; // no two lanes of 32 are equal, modulo 2^32 either
    }

    /// Whether a lane may write from there on, before a barrier that the waiting lane would have to come to as well.
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
                if (writes_memory(f_.instructions[at])) return true;
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
};

} // namespace

bool loops_get_on(const ptx::Function& kernel, const FunctionFacts& facts, const LanePlan& plan) {
    const Spins spins(kernel, plan);
    return std::all_of(facts.spinning_branches.begin(), facts.spinning_branches.end(),
                       [&](std::uint32_t branch) { return spins.gets_on(branch); });
}

} // namespace warplight::jit
