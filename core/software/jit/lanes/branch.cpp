// SPDX-License-Identifier: Apache-2.0
// Branches that the first lane's number decides: whether `t < n` where t grows from lane to lane and n is the same in
// all holds for all lanes, or for none, is told by its first and last lane, without a vector.
#include "flow.hpp"

#include <algorithm>

namespace warplight::jit {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;

namespace {

class Comparisons {
public:
    Comparisons(const ptx::Function& kernel, LanePlan& plan) : f_(kernel), plan_(plan), writers_(writers_of(kernel)) {}

    void find() {
        for (LaneBlock& block : plan_.blocks)
            if (block.successors.size() == 2 && block.begin < block.end) block.comparison = of(block);
    }

private:
    [[nodiscard]] std::optional<std::uint32_t> of(const LaneBlock& block) const {
        const Instruction& last = f_.instructions[block.end - 1];
        if (!last.guarded || plan_.uniform(last.guard)) return std::nullopt;
        RegisterSet written(f_.registers.size());
        for (std::uint32_t at = block.end - 1; at-- > block.begin;) {
            const Instruction& i = f_.instructions[at];
            bool writes_guard = false;
            ptx::each_written(f_, i, [&](ptx::RegisterId r) {
                writes_guard |= r == last.guard;
                written.insert(r);
            });
            if (!writes_guard) continue;
            return is_told(i) && none_of(i, [&](ptx::RegisterId r) { return written.contains(r); }) ? std::optional(at)
                                                                                                    : std::nullopt;
        }
        // Of another block: where nothing of it changes.
        if (writers_[last.guard].size() != 1) return std::nullopt;
        const std::uint32_t at = writers_[last.guard][0];
        if (!is_told(f_.instructions[at])) return std::nullopt;
        return none_of(f_.instructions[at], [&](ptx::RegisterId r) { return changes(r); }) ? std::optional(at)
                                                                                           : std::nullopt;
    }

    /// Whether an instruction compares so that the first and the last lane tell what all find.
    [[nodiscard]] bool is_told(const Instruction& i) const {
        if (i.opcode != Opcode::setp || i.guarded || i.operands.size() != 3) return false;
        if (i.operands[0].kind != Operand::Kind::reg || ptx::is_float(i.type()) || ptx::bits(i.type()) != 32)
            return false;
        const auto grows = [&](const Operand& x) {
            return x.kind == Operand::Kind::reg && !x.negated && plan_.grows(x.reg) &&
                   ptx::bits(f_.registers[x.reg].type) == 32;
        };
        const auto same = [&](const Operand& x) {
            return x.kind == Operand::Kind::integer || (x.kind == Operand::Kind::reg && plan_.uniform(x.reg));
        };
        return (grows(i.operands[1]) && same(i.operands[2])) || (same(i.operands[1]) && grows(i.operands[2]));
    }

    template <class Is>
    [[nodiscard]] bool none_of(const Instruction& i, Is is) const {
        bool any = false;
        ptx::each_read(f_, i, [&](ptx::RegisterId r) { any |= is(r); });
        return !any;
    }

    /// Whether a register may hold one thing now and another later.
    [[nodiscard]] bool changes(ptx::RegisterId r) const {
        if (writers_[r].size() != 1) return !writers_[r].empty();
        const std::uint32_t home = plan_.block_of[writers_[r][0]];
        std::vector<bool> seen(plan_.blocks.size() + 1);
        std::vector<std::uint32_t> open{home};
        while (!open.empty()) {
            const std::uint32_t k = open.back();
            open.pop_back();
            if (k >= plan_.blocks.size()) continue;
            for (const std::uint32_t next : plan_.blocks[k].successors) {
                if (next == home) return true;
                if (seen[next]) continue;
                seen[next] = true;
                open.push_back(next);
            }
        }
        return false;
    }

    const ptx::Function& f_;
    LanePlan& plan_;
    std::vector<std::vector<std::uint32_t>> writers_;
};

} // namespace

void find_comparisons(const ptx::Function& kernel, LanePlan& plan) { Comparisons(kernel, plan).find(); }

} // namespace warplight::jit
