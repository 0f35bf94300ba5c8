// SPDX-License-Identifier: Apache-2.0
#include "single_lane.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <span>

namespace warplight::jit {

using llvm::Value;
using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;

namespace {

constexpr std::uint32_t kMostInstructions = 256;

/// A comparison for equality, which holds in one lane at most.
struct Choice {
    std::uint32_t comparison = 0;
    std::uint32_t way = 0; ///< block
    bool alone = true;     ///< nothing else decides
};

/// Looks for the choice of a lane behind a block.
class ChoiceSearch {
public:
    ChoiceSearch(const Emitter& e, std::uint32_t block)
        : e_(e), plan_(*e.plan), all_(e.function.instructions), block_(plan_.blocks[block]),
          known_(plan_.comparisons[block]) {}

    [[nodiscard]] std::optional<Choice> find() const {
        const Instruction& last = all_[block_.end - 1];
        if (block_.successors.size() != 2 || !last.guarded) return std::nullopt;
        for (const bool value : {true, false}) {
            const std::uint32_t way = block_.successors[value != last.guard_negated ? 0 : 1];
            if (known_ && is_of_one_lane(*known_, value)) return Choice{*known_, way};
            if (const auto at = find(last.guard, block_.end - 1, value)) return Choice{*at, way, false};
        }
        return std::nullopt;
    }

private:
    /// A comparison that holds for one lane, if a predicate has a value: `t == n` of `t == n && x > 0`.
    [[nodiscard]] std::optional<std::uint32_t> find(ptx::RegisterId predicate, std::uint32_t before, bool value) const {
        const auto at = writer(predicate, before);
        if (!at || all_[*at].guarded) return std::nullopt;
        const Instruction& i = all_[*at];
        if (is_of_one_lane(*at, value)) return stays(i, *at) ? at : std::nullopt;
        if (i.opcode != (value ? Opcode::and_ : Opcode::or_) && i.opcode != Opcode::not_) return std::nullopt;
        for (const Operand& x : std::span(i.operands).subspan(1)) {
            if (x.kind != Operand::Kind::reg || x.negated) continue;
            if (const auto found = find(x.reg, *at, value != (i.opcode == Opcode::not_))) return found;
        }
        return std::nullopt;
    }
    /// The instruction of the block that writes a register, before another one.
    [[nodiscard]] std::optional<std::uint32_t> writer(ptx::RegisterId r, std::uint32_t before) const {
        for (std::uint32_t at = before; at-- > block_.begin;)
            if (writes(all_[at], r)) return at;
        return std::nullopt;
    }
    [[nodiscard]] bool writes(const Instruction& i, ptx::RegisterId r) const {
        bool any = false;
        ptx::each_written(e_.function, i, [&](ptx::RegisterId written) { any |= written == r; });
        return any;
    }
    /// Whether the operands of a comparison are the same at the end of the block.
    [[nodiscard]] bool stays(const Instruction& i, std::uint32_t at) const {
        bool all = true;
        ptx::each_read(e_.function, i, [&](ptx::RegisterId r) {
            const auto last = writer(r, block_.end);
            all &= !last || *last < at;
        });
        return all;
    }
    [[nodiscard]] bool is_of_one_lane(std::uint32_t at, bool value) const {
        constexpr std::int64_t kMostStride = 1 << 20; // that surely never wraps to the same number
        const Instruction& i = all_[at];
        if (i.opcode != Opcode::setp || i.operands.size() != 3 || !i.has(value ? ptx::Modifier::eq : ptx::Modifier::ne))
            return false;
        if (ptx::is_float(i.type()) || ptx::bits(i.type()) != 32) return false;
        const bool swapped = plan_.uniform(i.operands[1]);
        const Operand &affine = i.operands[swapped ? 2 : 1], &number = i.operands[swapped ? 1 : 2];
        if (affine.kind != Operand::Kind::reg || affine.negated ||
            ptx::bits(e_.function.registers[affine.reg].type) != 32)
            return false;
        if (number.kind != Operand::Kind::integer && (number.kind != Operand::Kind::reg || !plan_.uniform(number.reg)))
            return false;
        const std::int64_t stride = plan_.stride(affine.reg).value_or(0);
        return stride != 0 && std::abs(stride) <= kMostStride;
    }

    const Emitter& e_;
    const LanePlan& plan_;
    const std::vector<Instruction>& all_;
    const LaneBlock& block_;
    const std::optional<std::uint32_t> known_; ///< the comparison that decides the branch
};

class SingleLaneSearch {
public:
    SingleLaneSearch(const Emitter& e, const std::vector<bool>& kept)
        : e_(e), plan_(*e.plan), kept_(kept), count_(static_cast<std::uint32_t>(plan_.blocks.size())) {}

    [[nodiscard]] std::optional<SingleLane> behind(std::uint32_t from) const {
        const auto choice = ChoiceSearch(e_, from).find();
        if (!choice || choice->way <= from || choice->way == count_) return std::nullopt;
        const std::uint32_t head = choice->way;
        SingleLane single;
        single.from = from;
        single.comparison = choice->comparison;
        single.is_sure = choice->alone;
        const std::vector<std::uint32_t>& to = plan_.blocks[from].successors;
        single.other = to[0] == head ? to[1] : to[0];
        single.blocks.head = head;
        std::uint32_t end = count_;
        for (const std::uint32_t behind : {single.other, plan_.blocks[head].reconverges_at})
            if (behind > head) end = std::min(end, behind);
        single.blocks.last = end - 1;
        if (single.other <= single.blocks.last || (single.other < count_ && kept_[single.other])) return std::nullopt;
        if (!is_apart(single) || !pays(single.blocks) || !single.blocks.finish(e_)) return std::nullopt;
        return single;
    }

private:
    /// Whether nothing else leads there, and lanes meet nowhere in it.
    [[nodiscard]] bool is_apart(const SingleLane& single) const {
        const SerialBlocks& blocks = single.blocks;
        for (std::uint32_t k = 0; k < count_; ++k) {
            const LaneBlock& block = plan_.blocks[k];
            if (blocks.has(k)) {
                if (!block.masked || kept_[k] || plan_.grid_stride_loops.contains(block.end - 1)) return false;
                continue;
            }
            if (block.masked && blocks.has(block.reconverges_at)) return false;
            for (const std::uint32_t to : block.successors)
                if (blocks.has(to) && (k != single.from || to != blocks.head)) return false;
        }
        return true;
    }

    /// A thread's arithmetic alone is hardly faster than that of all lanes.
    [[nodiscard]] bool pays(const SerialBlocks& blocks) const {
        const std::uint32_t begin = plan_.blocks[blocks.head].begin, end = plan_.blocks[blocks.last].end;
        if (end - begin > kMostInstructions) return false;
        bool accesses = false;
        for (std::uint32_t at = begin; at < end; ++at) {
            const Instruction& i = e_.function.instructions[at];
            if (!SerialBlocks::is_plain(i)) return false;
            if (plan_.held_store && plan_.held_store->instruction == at) return false;
            accesses |= (i.opcode == Opcode::ld || i.opcode == Opcode::st) && i.space != ptx::Space::param;
        }
        return accesses;
    }

    const Emitter& e_;
    const LanePlan& plan_;
    const std::vector<bool>& kept_;
    const std::uint32_t count_;
};

} // namespace

bool has_one_lane(const Emitter& e, std::uint32_t block) {
    std::optional<std::uint32_t> from;
    for (std::uint32_t k = 0; k < e.plan->blocks.size(); ++k)
        for (const std::uint32_t to : e.plan->blocks[k].successors) {
            if (to != block) continue;
            if (from) return false;
            from = k;
        }
    if (!from) return false;
    const auto choice = ChoiceSearch(e, *from).find();
    return choice && choice->way == block;
}

SingleLanes find_single_lanes(const Emitter& e, const std::vector<bool>& kept) {
    SingleLanes found;
    if (!SerialBlocks::is_possible(e)) return found;
    const SingleLaneSearch search(e, kept);
    for (std::uint32_t k = 0; k < e.plan->blocks.size(); ++k)
        if (auto single = search.behind(k)) {
            k = single->blocks.last;
            found.emplace(single->blocks.head, std::move(*single));
        }
    return found;
}

/// Lane k has first + k * stride.
SingleLane::Found SingleLane::find_lane(Emitter& e) const {
    auto& b = e.b;
    const LanePlan& plan = *e.plan;
    const Instruction& i = e.function.instructions[comparison];
    const bool swapped = plan.uniform(i.operands[1]);
    const Operand& affine = i.operands[swapped ? 2 : 1];
    const Operand& number = i.operands[swapped ? 1 : 2];
    const std::int64_t stride = *plan.stride(affine.reg);
    const unsigned width = e.lanes.full_width();
    Value* first = e.read(affine, i.type());
    if (const auto constant = plan.constant_of(number);
        constant && stride == 1 && plan.registers.values[affine.reg].multiple) {
        const auto n = static_cast<std::uint32_t>(*constant);
        return {b.CreateICmpEQ(first, b.getInt32(n / width * width)), b.getInt32(n % width)};
    }
    Value* y = e.read(number, i.type());
    Value* distance = stride > 0 ? b.CreateSub(y, first) : b.CreateSub(first, y);
    const auto step = static_cast<std::uint32_t>(std::abs(stride));
    Value* lane = step == 1 ? distance : b.CreateUDiv(distance, b.getInt32(step));
    Value* any = b.CreateICmpULT(lane, b.getInt32(width));
    if (step != 1) any = b.CreateAnd(any, b.CreateICmpEQ(b.CreateMul(lane, b.getInt32(step)), distance));
    return {any, lane};
}

} // namespace warplight::jit
