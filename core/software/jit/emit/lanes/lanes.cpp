// SPDX-License-Identifier: Apache-2.0
// A kernel whose threads run side by side, one a lane of a vector.
//
// Every basic block has code for all lanes at once. A block that some lanes may skip has code under a mask too: where
// the lanes part, each block that waits for some has their mask, and the first in the text goes next, until all lanes
// have come to the join; from there on the code for all lanes goes on. So a loop in which the lanes stay together is a
// plain loop, and one that they leave one by one begins as such.
//
// Of the instructions, those with the same operands in all lanes are done once, most others on vectors, and what the
// host has no vectors for, a lane after the other.
#include "software/jit/emit/groups.hpp"
#include "software/jit/emit/memory/texture.hpp"
#include "software/ptx/verify.hpp"

#include <llvm/IR/DebugInfoMetadata.h>

#include <algorithm>

namespace warplight::jit {

using llvm::Type;
using llvm::Value;
using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using ptx::Space;

// --- values

Value* Emitter::special_of_lanes(ptx::SpecialRegister r) {
    using SR = ptx::SpecialRegister;
    if (r >= SR::lanemask_eq && r <= SR::lanemask_gt) {
        Value* bit = b.CreateShl(integer(32, 1), special_of_lanes(SR::laneid));
        Value* below = b.CreateSub(bit, integer(32, 1));
        switch (r) {
        case SR::lanemask_eq: return bit;
        case SR::lanemask_lt: return below;
        case SR::lanemask_le: return b.CreateOr(below, bit);
        case SR::lanemask_ge: return b.CreateNot(below);
        default: return b.CreateNot(b.CreateOr(below, bit));
        }
    }
    Value* first = splat(special(r));
    if (r != SR::tid_x && r != SR::laneid) return first;
    llvm::SmallVector<llvm::Constant*> steps;
    for (unsigned k = 0; k < width; ++k)
        steps.push_back(llvm::ConstantInt::get(first->getType()->getScalarType(), k));
    return b.CreateAdd(first, llvm::ConstantVector::get(steps));
}

void Emitter::store_register(ptx::RegisterId r, Value* value) {
    Value* slot = slot_of(r);
    if (!is_vector(r)) {
        if (value->getType()->isVectorTy()) throw EmitError("internal: a vector for a register that has none");
        b.CreateStore(value, slot);
        return;
    }
    if (width == 1 && lane_ >= 0) {
        Value* all = b.CreateLoad(registers_[r]->getAllocatedType(), slot);
        b.CreateStore(b.CreateInsertElement(all, value, static_cast<std::uint64_t>(lane_)), slot);
        return;
    }
    if (turn_) {
        b.CreateStore(value->getType()->isIntegerTy(1) ? b.CreateZExt(value, b.getInt8Ty()) : value, copy_of_turn(r));
        return;
    }
    if (width == 1) value = b.CreateVectorSplat(vector_, value);
    if (mask_ && (keep_others_ || (apart_ && !plan_->local[r])))
        value = b.CreateSelect(mask_, value, b.CreateLoad(registers_[r]->getAllocatedType(), slot));
    b.CreateStore(value, slot);
}

Value* Emitter::copy_of_turn(ptx::RegisterId r) {
    const auto bits = ptx::bits(function.registers[r].type);
    return b.CreateGEP(b.getIntNTy(std::max(bits, 8U)), copies_.at(r), turn_);
}

Value* Emitter::plus_turn(Value* of_first) {
    Value* turn = turn_ ? turn_ : lane_ > 0 ? b.getInt32(static_cast<unsigned>(lane_)) : nullptr;
    return turn ? b.CreateAdd(of_first, turn) : of_first;
}

Value* Emitter::lanes_taking_part() {
    if (!mask_) return b.getInt32(vector_ < 32 ? (1U << vector_) - 1 : ~0U);
    return b.CreateZExt(b.CreateBitCast(mask_, b.getIntNTy(vector_)), b.getInt32Ty());
}

Value* Emitter::one_of_active(Value* of_first) {
    if (turn_ || lane_ > 0 || !mask_) return plus_turn(of_first);
    Value* lane = b.CreateIntrinsic(llvm::Intrinsic::cttz, {b.getInt32Ty()}, {lanes_taking_part(), b.getFalse()});
    return b.CreateAdd(of_first, lane);
}

class Emitter::Lanes {
public:
    explicit Lanes(Emitter& e)
        : e_(e), b_(e.b), plan_(*e.plan_), count_(static_cast<std::uint32_t>(plan_.blocks.size())) {}

    void emit() {
        for (std::uint32_t k = 0; k < count_; ++k) {
            together_.push_back(e_.new_block("together"));
            const bool diverged = plan_.blocks[k].diverged;
            check_.push_back(diverged ? e_.new_block("check") : nullptr);
            masked_.push_back(diverged ? e_.new_block("masked") : nullptr);
            waiting_.push_back(diverged ? e_.stack_slot(mask_type(), "waiting") : nullptr);
        }
        together_.push_back(e_.new_block("end"));
        b_.CreateBr(together_[0]);
        for (std::uint32_t k = 0; k < count_; ++k) {
            if (!waiting_[k]) continue;
            llvm::IRBuilderBase::InsertPointGuard guard(b_);
            b_.SetInsertPoint(e_.entry_end_);
            b_.CreateStore(llvm::Constant::getNullValue(mask_type()), waiting_[k]);
        }
        find_always_masked();
        for (std::uint32_t k = 0; k < count_; ++k) {
            if (always_masked_[k]) {
                together_[k]->eraseFromParent();
            } else {
                b_.SetInsertPoint(together_[k]);
                emit_body(k, nullptr);
                leave_together(k);
            }
            if (!plan_.blocks[k].diverged) continue;
            b_.SetInsertPoint(check_[k]);
            Value* waiting = load_mask(k);
            b_.CreateCondBr(any(waiting), masked_[k], following(k));
            b_.SetInsertPoint(masked_[k]);
            Value* mask = load_mask(k);
            b_.CreateStore(llvm::Constant::getNullValue(mask_type()), waiting_[k]);
            emit_body(k, mask);
            leave_masked(k, mask);
        }
        b_.SetInsertPoint(together_[count_]);
        e_.mask_ = nullptr;
        e_.return_from_function(false);
        e_.fragments_.close();
    }

private:
    // --- masks. Between blocks they are integers: comparisons of which hosts with narrow registers keep whole.

    [[nodiscard]] Type* mask_type() const { return llvm::FixedVectorType::get(b_.getInt32Ty(), e_.vector_); }
    [[nodiscard]] Type* bit_type() const { return llvm::FixedVectorType::get(b_.getInt1Ty(), e_.vector_); }
    Value* load_mask(std::uint32_t k) {
        return b_.CreateICmpSLT(b_.CreateLoad(mask_type(), waiting_[k]), llvm::Constant::getNullValue(mask_type()));
    }
    void add_waiting(std::uint32_t k, Value* mask) {
        if (k == count_ || !waiting_[k]) return; // the join: they are there
        Value* before = b_.CreateLoad(mask_type(), waiting_[k]);
        b_.CreateStore(b_.CreateOr(before, b_.CreateSExt(mask, mask_type())), waiting_[k]);
    }
    Value* as_integer(Value* mask) { return b_.CreateBitCast(mask, b_.getIntNTy(e_.vector_)); }
    Value* any(Value* mask) { return b_.CreateIsNotNull(as_integer(mask)); }

    // --- code that is there once, for all lanes as for some

    /// Where a mask costs as good as nothing.
    [[nodiscard]] static bool is_as_good_masked(const Instruction& i) {
        if (ptx::may_suspend(i) || is_warp_operation(i)) return false;
        if (i.opcode != Opcode::ld && i.opcode != Opcode::st) return true;
        return i.vector_width <= 1 && ptx::bits(i.types[i.type_count - 1u]) >= 32;
    }
    [[nodiscard]] bool leads_to_masked(std::uint32_t k) const {
        const auto& to = plan_.blocks[k].successors;
        return std::any_of(to.begin(), to.end(), [&](std::uint32_t s) { return s < count_ && always_masked_[s]; });
    }
    /// Long code without loops behind an "if (i >= n) return;", and all loops of a kernel that has many which lanes
    /// leave one by one: that all lanes take part is not worth code of its own, where the host has masks for
    /// everything.
    void find_always_masked() {
        constexpr std::uint32_t kLong = 60; // instructions
        constexpr std::ptrdiff_t kManyLoops = 6;
        always_masked_.assign(count_, false);
        if (!host_masks_anything()) return;
        std::ptrdiff_t loops = 0;
        for (std::uint32_t k = 0; k < count_; ++k) {
            const auto& to = plan_.blocks[k].successors;
            loops += std::count_if(to.begin(), to.end(),
                                   [&](std::uint32_t s) { return s <= k && plan_.blocks[s].diverged; });
        }
        const bool with_loops = loops >= kManyLoops;
        for (std::uint32_t k = 0; k < count_; ++k) {
            if (plan_.blocks[k].diverged || plan_.blocks[k].successors.size() != 2 || !e_.varies(last_of(k).guard))
                continue;
            const auto& to = plan_.blocks[k].successors;
            const auto entry = std::find_if(to.begin(), to.end(), [&](std::uint32_t s) {
                return s < count_ && plan_.blocks[s].diverged && (with_loops || !plan_.blocks[s].apart);
            });
            if (entry == to.end()) continue;
            std::vector<bool> part(count_, false);
            for (std::uint32_t r = 0; r < count_; ++r)
                part[r] = plan_.blocks[r].diverged && plan_.blocks[r].join == plan_.blocks[*entry].join;
            if (is_long_and_plain(k, part, with_loops ? 0 : kLong, with_loops))
                for (std::uint32_t r = 0; r < count_; ++r)
                    always_masked_[r] = always_masked_[r] || part[r];
        }
    }
    [[nodiscard]] bool is_long_and_plain(std::uint32_t from, const std::vector<bool>& part, std::uint32_t least,
                                         bool with_loops) const {
        std::uint32_t length = 0;
        for (std::uint32_t k = 0; k < count_; ++k) {
            const LaneBlock& block = plan_.blocks[k];
            for (const std::uint32_t s : block.successors) {
                const bool enters = s < count_ && part[s];
                if (enters && ((k != from && !part[k]) || (s <= k && !with_loops))) return false;
            }
            if (!part[k]) continue;
            length += block.end - block.begin;
            for (std::uint32_t at = block.begin; at < block.end; ++at)
                if (!is_as_good_masked(e_.function.instructions[at])) return false;
        }
        return length >= least;
    }

    // --- control flow

    [[nodiscard]] const Instruction& last_of(std::uint32_t k) const {
        return e_.function.instructions[plan_.blocks[k].end - 1];
    }
    /// The next block of the same part in which the lanes are apart, or their join.
    [[nodiscard]] llvm::BasicBlock* following(std::uint32_t k) const {
        const std::uint32_t join = plan_.blocks[k].join;
        for (std::uint32_t next = k + 1; next < count_; ++next)
            if (plan_.blocks[next].diverged && plan_.blocks[next].join == join) return check_[next];
        return together_[join];
    }

    Value* uniform_guard(const Instruction& i) { return e_.read(guard_of(i), ptx::Type::pred); }
    Value* guard_of_lanes(const Instruction& i) {
        e_.width = e_.vector_;
        Value* guard = e_.read(guard_of(i), ptx::Type::pred);
        e_.width = 1;
        return guard;
    }

    void leave_together(std::uint32_t k) {
        if (b_.GetInsertBlock()->getTerminator()) return;
        e_.give_way_now_and_then();
        e_.take_turns();
        const auto& to = plan_.blocks[k].successors;
        const Instruction& last = last_of(k);
        if (to.size() == 1) {
            b_.CreateBr(together_[to[0]]);
            return;
        }
        if (!e_.varies(last.guard)) {
            b_.CreateCondBr(uniform_guard(last), together_[to[0]], together_[to[1]]);
            return;
        }
        if (leads_to_masked(k)) {
            part_ways(to, guard_of_lanes(last), nullptr);
            return go_on(to);
        }
        if (const auto comparison = plan_.blocks[k].comparison) leave_told(to, last, *comparison);
        Value* taken = guard_of_lanes(last);
        Value* bits = as_integer(taken);
        llvm::BasicBlock* some = e_.new_block("some");
        llvm::BasicBlock* part = e_.new_block("part");
        b_.CreateCondBr(b_.CreateIsNull(bits), together_[to[1]], some);
        b_.SetInsertPoint(some);
        b_.CreateCondBr(b_.CreateIsNull(b_.CreateNot(bits)), together_[to[0]], part);
        b_.SetInsertPoint(part);
        part_ways(to, taken, nullptr);
        go_on(to);
    }

    /// All lanes go one way where that is certain without a vector; what follows is for where it is not.
    void leave_told(const std::vector<std::uint32_t>& to, const Instruction& last, std::uint32_t comparison) {
        const Instruction& i = e_.function.instructions[comparison];
        const auto [all, none] = e_.told_by_first(i);
        llvm::BasicBlock* not_all = e_.new_block("not_all");
        llvm::BasicBlock* vectors = e_.new_block("vectors");
        const bool taken = !last.guard_negated;
        b_.CreateCondBr(all, together_[to[taken ? 0 : 1]], not_all);
        b_.SetInsertPoint(not_all);
        b_.CreateCondBr(none, together_[to[taken ? 1 : 0]], vectors);
        b_.SetInsertPoint(vectors);
        // Compared once more, so that the vector need not be there where it is not asked for.
        emit_guarded(i, nullptr);
    }

    void part_ways(const std::vector<std::uint32_t>& to, Value* taken, Value* mask) {
        Value* others = b_.CreateNot(taken);
        add_waiting(to[0], mask ? b_.CreateAnd(mask, taken) : taken);
        add_waiting(to[1], mask ? b_.CreateAnd(mask, others) : others);
    }

    /// From code for all lanes: to the first block that waits for some.
    void go_on(const std::vector<std::uint32_t>& to) {
        std::uint32_t first = count_;
        for (const std::uint32_t s : to)
            if (s < count_ && waiting_[s]) first = std::min(first, s);
        b_.CreateBr(first < count_ ? check_[first] : together_[to[0]]);
    }

    void leave_masked(std::uint32_t k, Value* mask) {
        if (b_.GetInsertBlock()->getTerminator()) return;
        e_.give_way_now_and_then();
        const auto& to = plan_.blocks[k].successors;
        if (to.size() == 1) return go_masked(k, to[0], mask);
        const Instruction& last = last_of(k);
        if (!e_.varies(last.guard)) {
            llvm::BasicBlock* one = e_.new_block("one");
            llvm::BasicBlock* other = e_.new_block("other");
            b_.CreateCondBr(uniform_guard(last), one, other);
            b_.SetInsertPoint(one);
            go_masked(k, to[0], mask);
            b_.SetInsertPoint(other);
            return go_masked(k, to[1], mask);
        }
        part_ways(to, guard_of_lanes(last), mask);
        std::vector<std::uint32_t> back;
        for (const std::uint32_t s : to)
            if (s <= k && waiting_[s]) back.push_back(s);
        std::sort(back.begin(), back.end());
        for (const std::uint32_t s : back) {
            llvm::BasicBlock* rest = e_.new_block("rest");
            b_.CreateCondBr(any(load_mask(s)), masked_[s], rest);
            b_.SetInsertPoint(rest);
        }
        b_.CreateBr(following(k));
    }

    /// All that are in a block go one way.
    void go_masked(std::uint32_t k, std::uint32_t to, Value* mask) {
        add_waiting(to, mask);
        b_.CreateBr(to <= k && waiting_[to] ? masked_[to] : following(k));
    }

    // --- instructions

    void emit_body(std::uint32_t k, Value* mask) {
        const LaneBlock& block = plan_.blocks[k];
        e_.apart_ = block.apart;
        const auto& all = e_.function.instructions;
        if (!mask && std::any_of(all.begin() + block.begin, all.begin() + block.end,
                                 [](const Instruction& i) { return ptx::is_matrix(i.opcode); }))
            e_.fragments_.enter(block, plan_);
        for (std::uint32_t at = block.begin; at < block.end; ++at) {
            const Instruction& i = e_.function.instructions[at];
            if (i.opcode == Opcode::bra || i.opcode == Opcode::ret || i.opcode == Opcode::exit) break; // the last
            if (b_.GetInsertBlock()->getTerminator()) b_.SetInsertPoint(e_.new_block("unreached"));
            e_.current_ = at;
            b_.SetCurrentDebugLocation(llvm::DILocation::get(e_.context, e_.site() + 1, 0, e_.subprogram_));
            emit_guarded(i, mask);
            if (e_.fragments_.holds_any()) e_.fragments_.finish(at);
        }
        e_.fragments_.leave();
        e_.current_ = block.end - 1;
        b_.SetCurrentDebugLocation(llvm::DILocation::get(e_.context, e_.site() + 1, 0, e_.subprogram_));
    }

    void emit_guarded(const Instruction& i, Value* mask) {
        e_.mask_ = mask;
        e_.keep_others_ = false;
        if (!i.guarded) return emit_one(i);
        if (!e_.varies(i.guard)) return e_.emit_if(uniform_guard(i), [&] { emit_one(i); });
        Value* guard = guard_of_lanes(i);
        e_.mask_ = mask ? b_.CreateAnd(mask, guard) : guard;
        e_.keep_others_ = true;
        emit_one(i);
    }

    void emit_one(const Instruction& i) {
        if (const ptx::RegisterId* to = ptx::destination_register(i); to && plan_.grows(*to)) {
            e_.emit_growing(i);
        } else if (is_warp_operation(i)) {
            e_.emit_warp_operation(i);
        } else if (once(i)) {
            if (!emit_any(e_, i)) e_.unsupported_form(i);
        } else if (e_.emit_lane_access(i) || e_.emit_combined_atomic(i)) {
        } else if (samples_lanes(i) && plan_.names_one_texture(i)) {
            emit_sample_lanes(e_, i, e_.vector_, e_.mask_);
        } else if (alike(i)) {
            e_.lane_ = 0;
            if (!emit_any(e_, i)) e_.unsupported_form(i);
            e_.lane_ = -1;
        } else if (ptx::is_computed_on_vectors(i)) {
            e_.width = e_.vector_;
            if (!emit_any(e_, i)) e_.unsupported_form(i);
            e_.width = 1;
        } else {
            one_after_the_other(i);
        }
    }

    /// Whether all lanes would do the same.
    [[nodiscard]] bool once(const Instruction& i) const {
        if (e_.keep_others_ || uses_carry(i)) return false; // each lane has a flag
        switch (i.opcode) {
        case Opcode::atom:
        case Opcode::red:
        case Opcode::sured:
        case Opcode::alloca: return false;
        default: break;
        }
        const auto sources = ptx::sources_of(i);
        return std::all_of(sources.begin(), sources.end(), [&](const Operand& x) { return plan_.uniform(x); });
    }

    /// Whether the operands differ and yet the result is the same in all lanes.
    [[nodiscard]] bool alike(const Instruction& i) const {
        const ptx::RegisterId* to = ptx::destination_register(i);
        return to && !e_.varies(*to);
    }

    /// Whether an instruction is about as short as what a loop over the lanes needs beside it.
    [[nodiscard]] static bool is_short(const Instruction& i) {
        if (i.opcode == Opcode::red || i.opcode == Opcode::atom) // a locked one takes longer than a turn does
            return i.space == Space::shared && !i.has(Modifier::cas) && !ptx::is_float(i.type());
        switch (i.opcode) {
        case Opcode::ld:
        case Opcode::st: return true;
        default: return false;
        }
    }

    /// Of what all lanes write to one place the last one's stays.
    [[nodiscard]] bool stores_to_one_place(const Instruction& i) const {
        if (i.opcode != Opcode::st || !plan_.uniform(i.operands[0])) return false;
        const auto is_plain = [](const Operand& x) {
            return x.kind == Operand::Kind::reg || x.kind == Operand::Kind::integer ||
                   x.kind == Operand::Kind::floating;
        };
        const Operand& value = i.operands.at(1);
        return is_plain(value) || (value.kind == Operand::Kind::vector &&
                                   std::all_of(value.elements.begin(), value.elements.end(), is_plain));
    }

    void one_after_the_other(const Instruction& i) {
        if (e_.mask_ || !is_short(i)) return take_turns(i);
        if (stores_to_one_place(i)) {
            e_.lane_ = 0; // who a fault is told of: the first to find it
            e_.reads_last_ = true;
            if (!emit_any(e_, i)) e_.unsupported_form(i);
            e_.reads_last_ = false;
            e_.lane_ = -1;
            return;
        }
        for (unsigned lane = 0; lane < e_.vector_; ++lane) {
            if (b_.GetInsertBlock()->getTerminator()) b_.SetInsertPoint(e_.new_block("unreached"));
            e_.lane_ = static_cast<int>(lane);
            if (!emit_any(e_, i)) e_.unsupported_form(i);
        }
        e_.lane_ = -1;
    }

    /// A loop over the lanes that take part. What it reads and writes lies in memory meanwhile, a lane after the other.
    void take_turns(const Instruction& i) {
        std::vector<std::unique_ptr<Scratch>> copies;
        std::vector<bool> is_read(e_.function.registers.size());
        for (const Operand& x : ptx::sources_of(i))
            each_register(x, [&](ptx::RegisterId r) { is_read[r] = true; });
        const auto take = [&](ptx::RegisterId r) {
            if (!e_.is_vector(r) || e_.copies_.contains(r)) return;
            llvm::Value* slot = e_.slot_of(r);
            Value* all = b_.CreateLoad(e_.registers_[r]->getAllocatedType(), slot);
            const unsigned bits = all->getType()->getScalarSizeInBits();
            if (bits == 1) all = b_.CreateZExt(all, llvm::FixedVectorType::get(b_.getInt8Ty(), e_.vector_));
            copies.push_back(std::make_unique<Scratch>(e_, "copy", std::size_t{std::max(bits, 8U)} / 8 * e_.vector_));
            // What a result that nobody looks at held before is of no use, and would keep the result itself alive.
            const bool kept = e_.keep_others_ || (e_.mask_ && e_.apart_ && !plan_.local[r]);
            if (is_read[r] || kept) b_.CreateAlignedStore(all, copies.back()->address(), Scratch::alignment());
            e_.copies_[r] = copies.back()->address();
        };
        for (const Operand& operand : i.operands)
            each_register(operand, take);
        Type* bits_type = b_.getIntNTy(e_.vector_);
        Value* all = e_.mask_ ? as_integer(e_.mask_) : llvm::Constant::getAllOnesValue(bits_type);
        llvm::BasicBlock* before = b_.GetInsertBlock();
        llvm::BasicBlock* turn = e_.new_block("turn");
        llvm::BasicBlock* rest = e_.new_block("rest");
        b_.CreateCondBr(b_.CreateIsNotNull(all), turn, rest);
        b_.SetInsertPoint(turn);
        llvm::PHINode* left = b_.CreatePHI(bits_type, 2);
        left->addIncoming(all, before);
        e_.turn_ = b_.CreateZExtOrTrunc(e_.intrinsic(llvm::Intrinsic::cttz, {bits_type}, {left, b_.getTrue()}),
                                        b_.getInt32Ty());
        if (!emit_any(e_, i)) e_.unsupported_form(i);
        e_.turn_ = nullptr;
        if (!b_.GetInsertBlock()->getTerminator()) {
            Value* others = b_.CreateAnd(left, b_.CreateSub(left, llvm::ConstantInt::get(bits_type, 1)));
            left->addIncoming(others, b_.GetInsertBlock());
            b_.CreateCondBr(b_.CreateIsNotNull(others), turn, rest);
        }
        b_.SetInsertPoint(rest);
        const auto give_back = [&](ptx::RegisterId r) {
            if (!e_.is_vector(r)) return;
            Type* type = e_.registers_[r]->getAllocatedType();
            Type* stored =
                type->getScalarSizeInBits() == 1 ? llvm::FixedVectorType::get(b_.getInt8Ty(), e_.vector_) : type;
            Value* values = b_.CreateAlignedLoad(stored, e_.copies_.at(r), Scratch::alignment());
            if (stored != type) values = b_.CreateTrunc(values, type);
            b_.CreateStore(values, e_.slot_of(r));
        };
        if (const Operand* to = ptx::destination_of(i)) each_register(*to, give_back);
        e_.copies_.clear();
    }

    Emitter& e_;
    llvm::IRBuilder<>& b_;
    const LanePlan& plan_;
    const std::uint32_t count_;
    std::vector<llvm::BasicBlock*> together_, check_, masked_; ///< by block
    std::vector<llvm::AllocaInst*> waiting_;                   ///< masks of diverged blocks
    std::vector<bool> always_masked_;                          ///< blocks without code for all lanes
};

void Emitter::emit_side_by_side() { Lanes(*this).emit(); }

} // namespace warplight::jit
