// SPDX-License-Identifier: Apache-2.0
#include "lane_loop.hpp"

#include <algorithm>

namespace warplight::jit {

using llvm::Type;
using llvm::Value;

void LaneLoop::use(ptx::RegisterId r, bool is_read) {
    if (!e_.registers.is_vector(r) || copies_.contains(r)) return;
    llvm::AllocaInst* slot = e_.registers.slot(r);
    Value* all = b_.CreateLoad(slot->getAllocatedType(), slot);
    const unsigned bits = all->getType()->getScalarSizeInBits();
    if (bits == 1) all = b_.CreateZExt(all, bytes());
    memory_.push_back(std::make_unique<Scratch>(e_, "copy", std::size_t{std::max(bits, 8U)} / 8 * width()));
    // A result whose old value nobody needs is not copied: that would keep the old value alive.
    if (is_read || e_.registers.keeps_inactive(r))
        b_.CreateAlignedStore(all, memory_.back()->address(), Scratch::alignment());
    copies_[r] = {memory_.back()->address(), true};
}

/// Two lanes tell all of them, so that the vector need not be made.
void LaneLoop::use_even(ptx::RegisterId r) {
    if (!e_.registers.is_vector(r) || copies_.contains(r)) return;
    llvm::AllocaInst* slot = e_.registers.slot(r);
    Value* all = b_.CreateLoad(slot->getAllocatedType(), slot);
    Value* first = b_.CreateExtractElement(all, std::uint64_t{0});
    copies_[r] = {nullptr, false, first, b_.CreateSub(b_.CreateExtractElement(all, std::uint64_t{1}), first)};
}

void LaneLoop::use_alone(ptx::RegisterId r) {
    if (!e_.registers.is_vector(r) || copies_.contains(r)) return;
    const unsigned bits = std::max(ptx::bits(e_.function.registers[r].type), 8U);
    copies_[r] = {e_.stack_slot(b_.getIntNTy(bits), "own"), false};
}

void LaneLoop::emit(llvm::function_ref<void()> body) {
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
        body();
    }
    if (!b_.GetInsertBlock()->getTerminator()) {
        Value* others = b_.CreateAnd(left, b_.CreateSub(left, llvm::ConstantInt::get(bits_type, 1)));
        left->addIncoming(others, b_.GetInsertBlock());
        b_.CreateCondBr(b_.CreateIsNotNull(others), turn, rest);
    }
    b_.SetInsertPoint(rest);
}

void LaneLoop::emit_all(unsigned at_once, llvm::function_ref<void()> body) {
    llvm::BasicBlock* before = b_.GetInsertBlock();
    llvm::BasicBlock* turn = e_.new_block("turn");
    llvm::BasicBlock* rest = e_.new_block("rest");
    b_.CreateBr(turn);
    b_.SetInsertPoint(turn);
    llvm::PHINode* first = b_.CreatePHI(b_.getInt32Ty(), 2);
    first->addIncoming(b_.getInt32(0), before);
    for (unsigned k = 0; k < at_once && !b_.GetInsertBlock()->getTerminator(); ++k) {
        const auto lane = e_.lanes.with_serial_index(b_.CreateNUWAdd(first, b_.getInt32(k)));
        const auto copies = e_.registers.with_copies(copies_);
        body();
    }
    if (!b_.GetInsertBlock()->getTerminator()) {
        Value* next = b_.CreateNUWAdd(first, b_.getInt32(at_once));
        first->addIncoming(next, b_.GetInsertBlock());
        b_.CreateCondBr(b_.CreateICmpULT(next, b_.getInt32(width())), turn, rest);
    }
    b_.SetInsertPoint(rest);
}

void LaneLoop::take_back(ptx::RegisterId r) {
    if (!e_.registers.is_vector(r)) return;
    llvm::AllocaInst* slot = e_.registers.slot(r);
    Type* type = slot->getAllocatedType();
    Type* stored = type->getScalarSizeInBits() == 1 ? bytes() : type;
    Value* values = b_.CreateAlignedLoad(stored, copies_.at(r).memory, Scratch::alignment());
    if (stored != type) values = b_.CreateTrunc(values, type);
    b_.CreateStore(values, slot);
}

} // namespace warplight::jit
