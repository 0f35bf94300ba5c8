// SPDX-License-Identifier: Apache-2.0
#include "block_values.hpp"

#include "software/jit/abi/abi.hpp"

#include <cstddef>

namespace warplight::jit {

using llvm::Value;
using software::BlockContext;
using software::LaunchContext;

bool ValuesOfBlock::is_field(const llvm::LoadInst& load) {
    if (!load.isSimple() || load.getType()->isVectorTy()) return false;
    llvm::APInt offset(layout_.getIndexTypeSizeInBits(load.getPointerOperandType()), 0);
    const Value* base = load.getPointerOperand()->stripAndAccumulateConstantOffsets(layout_, offset, true);
    const auto* outer = llvm::dyn_cast<llvm::LoadInst>(base);
    if (outer && !launches_.contains(base) && !parameters_.contains(base) && base != block_) (void)is_field(*outer);
    if (base == block_) {
        if (offset == offsetof(BlockContext, launch)) launches_.insert(&load);
        return true;
    }
    if (launches_.contains(base)) {
        if (offset == offsetof(LaunchContext, parameters)) parameters_.insert(&load);
        return true;
    }
    return parameters_.contains(base);
}

bool ValuesOfBlock::has(const llvm::Instruction& i) {
    if (i.getType()->isVectorTy() || i.getType()->isVoidTy()) return false;
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&i)) return is_field(*load);
    if (llvm::isa<llvm::BinaryOperator>(i)) return i.getType()->isIntegerTy() && !i.isIntDivRem();
    return llvm::isa<llvm::GetElementPtrInst, llvm::CastInst, llvm::CmpInst, llvm::FreezeInst>(i);
}

bool ValuesOfBlock::has_all_of(const llvm::Instruction& i, unsigned steps) {
    if (&i == block_) return true;
    if (steps == 0 || !has(i)) return false;
    if (llvm::isa<llvm::LoadInst>(i)) return true;
    return llvm::all_of(i.operands(), [&](const Value* operand) {
        if (llvm::isa<llvm::Constant>(operand)) return true;
        const auto* from = llvm::dyn_cast<llvm::Instruction>(operand);
        return from && has_all_of(*from, steps - 1);
    });
}

} // namespace warplight::jit
