// SPDX-License-Identifier: Apache-2.0
// Branches that scalars decide for all lanes.
#include "lane_groups.hpp"

namespace warplight::jit {

using llvm::Value;
using ptx::Instruction;
using ptx::Modifier;
using ptx::Operand;

/// Lane k holds x + k * stride. The lanes' numbers are ordered unless they wrap, so the first and the last tell whether
/// all are below or above y. What is added to y is so outside of loops.
Value* compare_first_lane(Emitter& e, const Instruction& i, bool holds) {
    auto& b = e.b;
    using Is = llvm::CmpInst;
    const bool swapped = e.plan->uniform(i.operands[1]);
    const Operand& affine = i.operands[swapped ? 2 : 1];
    const bool is_signed = ptx::is_signed(i.type());
    const auto wide = [&](const Operand& operand) {
        Value* value = e.read(operand, i.type());
        return is_signed ? b.CreateSExt(value, b.getInt64Ty()) : b.CreateZExt(value, b.getInt64Ty());
    };
    const auto number = [&](std::int64_t x) { return b.getInt64(static_cast<std::uint64_t>(x)); };
    Value* first = wide(affine);
    Value* y = wide(i.operands[swapped ? 1 : 2]);
    const std::int64_t reach = *e.plan->stride(affine.reg) * (e.lanes.full_width() - 1);
    const std::int64_t least = is_signed ? -(std::int64_t{1} << 31) : 0, most = least + (std::int64_t{1} << 32) - 1;
    // A coroutine would have to keep in its frame what is outside of a loop.
    Value* last = e.coroutine ? b.CreateAdd(first, number(reach)) : nullptr;
    const auto last_stays = [&] {
        Value* from_zero = is_signed ? b.CreateAdd(last, number(std::int64_t{1} << 31)) : last;
        return b.CreateICmpULT(from_zero, number(std::int64_t{1} << 32));
    };
    /// The last lane is on that side, and has not wrapped on the way there.
    const auto last_is = [&](Is::Predicate is) {
        if (last) return b.CreateAnd(last_stays(), b.CreateICmp(is, last, y));
        return b.CreateICmp(is, first, b.CreateSub(y, number(reach)));
    };
    /// The first lane is, and the last one has not wrapped.
    const auto first_is = [&](Is::Predicate is) {
        Value* stays = last        ? last_stays()
                       : reach > 0 ? b.CreateICmpSLE(first, number(most - reach))
                                   : b.CreateICmpSGE(first, number(least - reach));
        return b.CreateAnd(stays, b.CreateICmp(is, first, y));
    };
    const auto all_below = [&](Is::Predicate is) { return reach > 0 ? last_is(is) : first_is(is); };
    const auto all_above = [&](Is::Predicate is) { return reach > 0 ? first_is(is) : last_is(is); };
    if (i.has(Modifier::eq) || i.has(Modifier::ne)) {
        if (i.has(Modifier::eq) == holds) return b.getFalse();
        return b.CreateOr(all_below(Is::ICMP_SLT), all_above(Is::ICMP_SGT));
    }
    const bool less = i.has(Modifier::lt) || i.has(Modifier::le) || i.has(Modifier::lo) || i.has(Modifier::ls);
    const bool equal = i.has(Modifier::le) || i.has(Modifier::ge) || i.has(Modifier::ls) || i.has(Modifier::hs);
    // "x < y" with the affine operand first, "x > y" with it second.
    const bool is_below = (less != swapped) == holds;
    if (is_below) return all_below(equal == holds ? Is::ICMP_SLE : Is::ICMP_SLT);
    return all_above(equal == holds ? Is::ICMP_SGE : Is::ICMP_SGT);
}

namespace {

class Branch {
public:
    Branch(Emitter& e, std::uint32_t block, llvm::function_ref<llvm::BasicBlock*(std::uint32_t)> way,
           llvm::function_ref<void(const Instruction&)> emit)
        : e_(e), block_(e.plan->blocks[block]), all_(e.function.instructions), last_(all_[block_.end - 1]), way_(way),
          emit_(emit) {}

    /// The comparison is made again, so that its vector is needed nowhere else.
    void by(std::uint32_t comparison) {
        by_two_lanes(comparison, last_.guard_negated);
        emit_(all_[comparison]);
    }

    /// The uniform conditions are asked first, each by a branch. So a row that lies outside needs no vector either.
    void by(const JoinedConditions& conditions) {
        const std::uint32_t decided = conditions.any != last_.guard_negated ? 0 : 1;
        for (const JoinedConditions::Condition& condition : conditions.uniform) {
            Value* holds = e_.registers.read(condition.predicate, ptx::Type::pred);
            leave_if(condition.negated == conditions.any ? e_.b.CreateNot(holds) : holds, decided);
        }
        const bool is_last = conditions.compared.size() == 1 && !conditions.has_others;
        if (conditions.uniform.empty() && !is_last) return;
        if (is_last) {
            const JoinedConditions::Condition& condition = conditions.compared.front();
            by_two_lanes(condition.comparison, condition.negated != last_.guard_negated);
        }
        // The guard is made again of what is left.
        for (const std::uint32_t at : conditions.again)
            emit_(all_[at]);
    }

private:
    /// @param negated the branch is taken where the comparison does not hold
    void by_two_lanes(std::uint32_t comparison, bool negated) {
        // The way that goes on comes first, as mostly it is taken.
        const auto ends = [&](std::uint32_t k) { return e_.plan->ends_at(e_.function, block_.successors[k]); };
        const bool taken_ends = ends(0) && !ends(1);
        const auto holds = [&](bool taken) { return compare_first_lane(e_, all_[comparison], taken != negated); };
        if (e_.coroutine) { // both at once
            Value* const conditions[] = {holds(true), holds(false)};
            leave_if(conditions[0], 0);
            leave_if(conditions[1], 1);
            return;
        }
        for (const bool taken : {!taken_ends, taken_ends})
            leave_if(holds(taken), taken ? 0 : 1);
    }
    void leave_if(Value* condition, std::uint32_t successor) {
        llvm::BasicBlock* rest = e_.new_block("rest");
        e_.b.CreateCondBr(condition, way_(successor), rest);
        e_.b.SetInsertPoint(rest);
    }

    Emitter& e_;
    const LaneBlock& block_;
    const std::vector<Instruction>& all_;
    const Instruction& last_;
    llvm::function_ref<llvm::BasicBlock*(std::uint32_t)> way_;
    llvm::function_ref<void(const Instruction&)> emit_;
};

} // namespace

void branch_unanimously(Emitter& e, std::uint32_t block, llvm::function_ref<llvm::BasicBlock*(std::uint32_t)> way,
                        llvm::function_ref<void(const Instruction&)> emit) {
    if (const auto comparison = e.plan->comparisons[block])
        Branch(e, block, way, emit).by(*comparison);
    else if (const auto& conditions = e.plan->conditions[block])
        Branch(e, block, way, emit).by(*conditions);
}

} // namespace warplight::jit
