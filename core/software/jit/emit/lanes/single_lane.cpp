// SPDX-License-Identifier: Apache-2.0
#include "single_lane.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace warplight::jit {

using llvm::Value;
using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;

namespace {

constexpr std::uint32_t kMostInstructions = 256;

/// The way behind a comparison for equality of an affine register that one lane at most takes, if there is one.
std::optional<std::uint32_t> way_of_one_lane(const Emitter& e, std::uint32_t from) {
    constexpr std::int64_t kMostStride = 1 << 20; // that surely never wraps to the same number
    const LanePlan& plan = *e.plan;
    if (!plan.comparisons[from]) return std::nullopt;
    const Instruction& comparison = e.function.instructions[*plan.comparisons[from]];
    const bool equal = comparison.has(ptx::Modifier::eq);
    if (!equal && !comparison.has(ptx::Modifier::ne)) return std::nullopt;
    const Operand& affine = comparison.operands[plan.uniform(comparison.operands[1]) ? 2 : 1];
    const auto stride = plan.stride(affine.reg);
    if (!stride || *stride == 0 || std::abs(*stride) > kMostStride) return std::nullopt;
    const Instruction& last = e.function.instructions[plan.blocks[from].end - 1];
    return plan.blocks[from].successors[equal != last.guard_negated ? 0 : 1];
}

class SingleLaneSearch {
public:
    SingleLaneSearch(const Emitter& e, const std::vector<bool>& kept)
        : e_(e), plan_(*e.plan), kept_(kept), count_(static_cast<std::uint32_t>(plan_.blocks.size())) {}

    [[nodiscard]] std::optional<SingleLane> behind(std::uint32_t from) const {
        const auto head = way_of_one_lane(e_, from);
        if (!head || *head <= from || *head == count_) return std::nullopt;
        SingleLane single;
        single.from = from;
        const std::vector<std::uint32_t>& to = plan_.blocks[from].successors;
        single.other = to[0] == *head ? to[1] : to[0];
        single.blocks.head = *head;
        std::uint32_t end = count_;
        for (const std::uint32_t behind : {single.other, plan_.blocks[*head].reconverges_at})
            if (behind > *head) end = std::min(end, behind);
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
    return from && way_of_one_lane(e, *from) == block;
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
    const Instruction& i = e.function.instructions[*plan.comparisons[from]];
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
