// SPDX-License-Identifier: Apache-2.0
// Comparisons of an affine register with a uniform one. The first and the last lane tell whether `t < n` holds in all
// lanes or in none, so that the branch needs no vector.
#include "lanes.hpp"

#include <algorithm>

namespace warplight::jit {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;

namespace {

class Comparisons {
public:
    Comparisons(const ptx::Function& kernel, const ptx::FlowGraph& graph, const LanePlan& plan)
        : f_(kernel), plan_(plan), loops_(graph), writers_(writers_of(kernel)) {}

    [[nodiscard]] std::vector<std::optional<std::uint32_t>> find() const {
        std::vector<std::optional<std::uint32_t>> found;
        for (const LaneBlock& block : plan_.blocks)
            found.push_back(block.successors.size() == 2 && block.begin < block.end ? of(block) : std::nullopt);
        return found;
    }

private:
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

std::vector<std::optional<std::uint32_t>> find_comparisons(const ptx::Function& kernel, const ptx::FlowGraph& graph,
                                                           const LanePlan& plan) {
    return Comparisons(kernel, graph, plan).find();
}

} // namespace warplight::jit
