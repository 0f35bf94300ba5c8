// SPDX-License-Identifier: Apache-2.0
#include "idle_rows.hpp"

#include <utility>

namespace warplight::jit {

using llvm::Value;
using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using SR = ptx::SpecialRegister;

IdleRows::IdleRows(Emitter& e)
    : e_(e), plan_(*e.plan), exits_(e.unit.leaves_idle_rows ? find_idle_exits(e.function, plan_) : std::vector<bool>{}),
      moves_of_(e.function) {}

llvm::BasicBlock* IdleRows::way(std::uint32_t block, std::uint32_t successor, llvm::BasicBlock* to) {
    if (exits_.empty() || !exits_[block] || !plan_.ends_at(e_.function, plan_.blocks[block].successors[successor]))
        return to;
    const auto [known, fresh] = ways_.try_emplace({block, successor}, to);
    if (!fresh) return known->second;
    const Instruction& branch = e_.function.instructions[plan_.blocks[block].end - 1];
    const bool holds = branch.guard_negated != (successor == 0);
    std::vector<Condition> conditions;
    looks_ = 0;
    const Instruction* made = moves_of_.writer(branch.guard);
    const bool joins = made && (made->opcode == Opcode::or_ || made->opcode == Opcode::and_);
    take_apart(branch.guard, holds, !joins || (made->opcode == Opcode::or_) == holds, conditions);
    if (conditions.empty()) return to;
    const llvm::IRBuilderBase::InsertPointGuard here(e_.b);
    known->second = e_.new_block("idle");
    e_.b.SetInsertPoint(known->second);
    for (const Condition& condition : conditions)
        emit(condition);
    e_.b.CreateBr(to);
    return known->second;
}

/// @param any one of the conditions suffices
void IdleRows::take_apart(ptx::RegisterId predicate, bool holds, bool any, std::vector<Condition>& into) {
    constexpr std::size_t kMost = 6;
    constexpr unsigned kMostLooks = 64; // an instruction may be met by many ways
    const Instruction* i = moves_of_.writer(predicate);
    if (!i || into.size() == kMost || ++looks_ > kMostLooks) return;
    const bool is_not = i->opcode == Opcode::not_;
    if (is_not ||
        ((i->opcode == Opcode::or_ || i->opcode == Opcode::and_) && any && (i->opcode == Opcode::or_) == holds)) {
        for (const Operand& x : ptx::sources_of(*i))
            if (x.kind == Operand::Kind::reg) take_apart(x.reg, holds != (x.negated != is_not), any, into);
        return;
    }
    Condition condition{.comparison = i, .holds = holds, .moves = {}};
    if (understand(condition)) into.push_back(condition);
}

bool IdleRows::understand(Condition& condition) {
    const Instruction& i = *condition.comparison;
    if (i.opcode != Opcode::setp || i.operands.size() != 3 || ptx::is_float(i.type()) || ptx::bits(i.type()) != 32)
        return false;
    constexpr Modifier kOrders[] = {Modifier::lt, Modifier::le, Modifier::gt, Modifier::ge,
                                    Modifier::lo, Modifier::ls, Modifier::hi, Modifier::hs};
    if (std::ranges::none_of(kOrders, [&](Modifier m) { return i.has(m); })) return false;
    const auto stays = [&](const Operand& x) {
        const auto moves = moves_of_(x);
        return moves && moves->stays() && plan_.stride_of(x) == 0;
    };
    condition.swapped = stays(i.operands[1]);
    if (!condition.swapped && !stays(i.operands[2])) return false;
    const Operand& moving = i.operands[condition.swapped ? 2 : 1];
    const auto stride = plan_.stride_of(moving);
    const auto moves = moves_of_(moving);
    if (!stride || !moves || moves->thread != *stride || moving.kind != Operand::Kind::reg ||
        plan_.widening(moving.reg))
        return false;
    condition.moves = *moves;
    condition.stride = *stride;
    return moves_one_way(condition);
}

/// In the order of a row's threads, from block to block.
bool IdleRows::moves_one_way(const Condition& condition) const {
    constexpr std::int64_t kMostStride = 1 << 15;
    const auto& [moves, stride] = std::pair(condition.moves, condition.stride);
    if (std::abs(stride) > kMostStride) return false;
    if (!e_.unit.joins_blocks) return true;
    const bool up = stride >= 0 && moves.block >= 0 && moves.blocks_threads >= stride;
    const bool down = stride <= 0 && moves.block <= 0 && moves.blocks_threads <= stride;
    return up || down;
}

Value* IdleRows::wide(const Operand& operand, ptx::Type type) {
    Value* value = e_.read(operand, type);
    auto* i64 = e_.b.getInt64Ty();
    return ptx::is_signed(type) ? e_.b.CreateSExt(value, i64) : e_.b.CreateZExt(value, i64);
}

/// What moves one way has passed all between if the condition holds now and at the end.
void IdleRows::emit(const Condition& condition) {
    auto& b = e_.b;
    const Instruction& i = *condition.comparison;
    const bool is_signed = ptx::is_signed(i.type());
    Value* now = wide(i.operands[condition.swapped ? 2 : 1], i.type());
    Value* bound = wide(i.operands[condition.swapped ? 1 : 2], i.type());
    const auto number = [&](std::int64_t x) { return b.getInt64(static_cast<std::uint64_t>(x)); };
    const auto field = [&](SR special) { return b.CreateZExt(e_.place.special(special), b.getInt64Ty()); };
    const auto more = [&](Value* value, std::int64_t factor, Value* times) {
        return factor ? b.CreateAdd(value, b.CreateMul(times, number(factor))) : value;
    };
    /// Between the thread and the last one, whose number is one less than the extent.
    const auto left = [&](SR extent, unsigned axis) {
        Value* index = b.CreateZExt(e_.place.thread_index(axis), b.getInt64Ty());
        return b.CreateSub(b.CreateSub(field(extent), number(1)), index);
    };
    const auto holds = [&](Value* x) {
        const bool less = i.has(Modifier::lt) || i.has(Modifier::le) || i.has(Modifier::lo) || i.has(Modifier::ls);
        const bool equal = i.has(Modifier::le) || i.has(Modifier::ge) || i.has(Modifier::ls) || i.has(Modifier::hs);
        const bool below = less != condition.swapped;
        using Is = llvm::CmpInst;
        Value* result = b.CreateICmp(
            below ? (equal ? Is::ICMP_SLE : Is::ICMP_SLT) : (equal ? Is::ICMP_SGE : Is::ICMP_SGT), x, bound);
        return condition.holds ? result : b.CreateNot(result);
    };
    const auto reaches = [&](Value* last) { // without wrapping
        Value* from_zero = is_signed ? b.CreateAdd(last, number(std::int64_t{1} << 31)) : last;
        return b.CreateAnd(b.CreateICmpULT(from_zero, number(std::int64_t{1} << 32)), holds(last));
    };
    const auto store = [&](Value* idle, Value* to) {
        b.CreateStore(b.CreateOr(b.CreateLoad(b.getInt1Ty(), to), idle), to);
    };
    Value* idle = holds(now);
    const RowMoves& moves = condition.moves;
    if (condition.stride == 0 && moves.is_of_row())
        store(b.CreateAnd(idle, reaches(more(now, moves.row, left(SR::ntid_y, 1)))), e_.place.idle_rows());
    Value* last = more(now, condition.stride, left(SR::ntid_x, 0));
    if (e_.unit.joins_blocks) {
        Value* blocks = b.CreateZExt(b.CreateSub(e_.place.last_block(), e_.place.special(SR::ctaid_x)), b.getInt64Ty());
        last = more(last, moves.block, blocks);
        if (moves.blocks_threads) last = more(last, moves.blocks_threads, b.CreateMul(blocks, field(SR::ntid_x)));
    }
    store(b.CreateAnd(idle, reaches(last)), e_.place.idle_row());
}

} // namespace warplight::jit
