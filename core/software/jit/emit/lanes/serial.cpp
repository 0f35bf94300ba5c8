// SPDX-License-Identifier: Apache-2.0
// Instructions that the lanes execute one after the other.
#include "lane_groups.hpp"
#include "software/jit/emit/groups.hpp"

#include <algorithm>
#include <memory>

namespace warplight::jit {

using llvm::Type;
using llvm::Value;
using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;

namespace {

/// The instruction is about as short as the loop around it would be, so it is repeated for each lane instead.
bool is_short(const Instruction& i) {
    if (i.opcode == Opcode::ld || i.opcode == Opcode::st) return true;
    // A locked operation takes longer than a turn of the loop.
    const bool is_atomic = i.opcode == Opcode::red || i.opcode == Opcode::atom;
    return is_atomic && i.space == ptx::Space::shared && !i.has(Modifier::cas) && !ptx::is_float(i.type());
}

/// All lanes store to one address: the last lane's value stays.
bool stores_to_one_place(const LanePlan& plan, const Instruction& i) {
    if (i.opcode != Opcode::st || !plan.uniform(i.operands[0])) return false;
    const auto is_plain = [](const Operand& x) {
        return x.kind == Operand::Kind::reg || x.kind == Operand::Kind::integer || x.kind == Operand::Kind::floating;
    };
    const Operand& value = i.operands.at(1);
    return is_plain(value) ||
           (value.kind == Operand::Kind::vector && std::all_of(value.elements.begin(), value.elements.end(), is_plain));
}

/// A loop over the active lanes. Meanwhile the instruction's registers are in memory, an element for each lane.
class SerialLoop {
public:
    SerialLoop(Emitter& e, const Instruction& i) : e_(e), b_(e.b), i_(i), is_read_(e.function.registers.size()) {}

    void emit() {
        for (const Operand& x : ptx::sources_of(i_))
            each_register(x, [&](ptx::RegisterId r) { is_read_[r] = true; });
        for (const Operand& operand : i_.operands)
            each_register(operand, [&](ptx::RegisterId r) { copy_to_memory(r); });
        emit_loop();
        if (const Operand* to = ptx::destination_of(i_)) each_register(*to, [&](ptx::RegisterId r) { copy_back(r); });
    }

private:
    void copy_to_memory(ptx::RegisterId r) {
        if (!e_.registers.is_vector(r) || copies_.contains(r)) return;
        llvm::AllocaInst* slot = e_.registers.slot(r);
        Value* all = b_.CreateLoad(slot->getAllocatedType(), slot);
        const unsigned bits = all->getType()->getScalarSizeInBits();
        if (bits == 1) all = b_.CreateZExt(all, bytes());
        memory_.push_back(std::make_unique<Scratch>(e_, "copy", std::size_t{std::max(bits, 8U)} / 8 * width()));
        // A result whose old value nobody needs is not copied: that would keep the old value alive.
        if (is_read_[r] || e_.registers.keeps_inactive(r))
            b_.CreateAlignedStore(all, memory_.back()->address(), Scratch::alignment());
        copies_[r] = memory_.back()->address();
    }

    void emit_loop() {
        Type* bits_type = b_.getIntNTy(width());
        Value* all = e_.lanes.active_mask() ? b_.CreateBitCast(e_.lanes.active_mask(), bits_type)
                                            : llvm::Constant::getAllOnesValue(bits_type);
        llvm::BasicBlock* before = b_.GetInsertBlock();
        llvm::BasicBlock* turn = e_.new_block("turn");
        llvm::BasicBlock* rest = e_.new_block("rest");
        b_.CreateCondBr(b_.CreateIsNotNull(all), turn, rest);
        b_.SetInsertPoint(turn);
        llvm::PHINode* left = b_.CreatePHI(bits_type, 2);
        left->addIncoming(all, before);
        Value* lowest = e_.intrinsic(llvm::Intrinsic::cttz, {bits_type}, {left, b_.getTrue()});
        {
            const auto lane = e_.lanes.with_serial_index(b_.CreateZExtOrTrunc(lowest, b_.getInt32Ty()));
            const auto copies = e_.registers.with_copies(copies_);
            if (!emit_any(e_, i_)) e_.unsupported_form(i_);
        }
        if (!b_.GetInsertBlock()->getTerminator()) {
            Value* others = b_.CreateAnd(left, b_.CreateSub(left, llvm::ConstantInt::get(bits_type, 1)));
            left->addIncoming(others, b_.GetInsertBlock());
            b_.CreateCondBr(b_.CreateIsNotNull(others), turn, rest);
        }
        b_.SetInsertPoint(rest);
    }

    void copy_back(ptx::RegisterId r) {
        if (!e_.registers.is_vector(r)) return;
        llvm::AllocaInst* slot = e_.registers.slot(r);
        Type* type = slot->getAllocatedType();
        Type* stored = type->getScalarSizeInBits() == 1 ? bytes() : type;
        Value* values = b_.CreateAlignedLoad(stored, copies_.at(r), Scratch::alignment());
        if (stored != type) values = b_.CreateTrunc(values, type);
        b_.CreateStore(values, slot);
    }

    [[nodiscard]] unsigned width() const { return e_.lanes.full_width(); }
    [[nodiscard]] Type* bytes() const { return llvm::FixedVectorType::get(b_.getInt8Ty(), width()); }

    Emitter& e_;
    llvm::IRBuilder<>& b_;
    const Instruction& i_;
    std::vector<bool> is_read_; ///< by register
    std::vector<std::unique_ptr<Scratch>> memory_;
    Registers::LaneCopies copies_;
};

} // namespace

void emit_serially(Emitter& e, const Instruction& i) {
    const auto emit = [&] {
        if (!emit_any(e, i)) e.unsupported_form(i);
    };
    if (e.lanes.active_mask() || !is_short(i)) return SerialLoop(e, i).emit();
    if (stores_to_one_place(*e.plan, i)) {
        const auto lane = e.lanes.with_lane(0); // that a fault names
        const auto last = e.lanes.with_last_read();
        return emit();
    }
    for (unsigned k = 0; k < e.lanes.full_width(); ++k) {
        if (e.b.GetInsertBlock()->getTerminator()) e.b.SetInsertPoint(e.new_block("unreached"));
        const auto lane = e.lanes.with_lane(k);
        emit();
    }
}

} // namespace warplight::jit
