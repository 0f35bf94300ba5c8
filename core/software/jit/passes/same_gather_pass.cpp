// SPDX-License-Identifier: Apache-2.0
#include "same_gather_pass.hpp"

#include "software/jit/ir_conventions.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

namespace warplight::jit {

namespace {

enum Argument : unsigned { kPointers = 0, kMask = 2, kOtherwise = 3 };

llvm::IntrinsicInst* as_gather(llvm::Value* value) {
    auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(value);
    return call && call->getIntrinsicID() == llvm::Intrinsic::masked_gather ? call : nullptr;
}

bool is_in_device(const llvm::Type* pointers) { return pointers->getPointerAddressSpace() == kDeviceSpace; }

/// Memory of the host is never the device's.
bool may_write_to_device(const llvm::Instruction& i) {
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&i))
        return !store->isSimple() || is_in_device(store->getPointerOperandType());
    const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
    return i.mayWriteToMemory() && !(call && call->getIntrinsicID() == llvm::Intrinsic::prefetch);
}

/// Whether a gather has read whatever another one of the same addresses reads.
bool reads_all_of(const llvm::IntrinsicInst& first, const llvm::IntrinsicInst& second) {
    const auto* all = llvm::dyn_cast<llvm::Constant>(first.getArgOperand(kMask));
    return first.getArgOperand(kPointers) == second.getArgOperand(kPointers) && first.getType() == second.getType() &&
           ((all && all->isAllOnesValue()) || first.getArgOperand(kMask) == second.getArgOperand(kMask));
}

/// The gather that has surely run before, or null.
llvm::IntrinsicInst* same_before(llvm::IntrinsicInst& gather) {
    constexpr unsigned kMostBlocks = 8, kMostInstructions = 300;
    unsigned instructions = 0;
    llvm::Instruction* i = gather.getPrevNode();
    llvm::BasicBlock* block = gather.getParent();
    for (unsigned blocks = 0; block && blocks < kMostBlocks; ++blocks) {
        for (; i; i = i->getPrevNode()) {
            if (++instructions > kMostInstructions || may_write_to_device(*i)) return nullptr;
            llvm::IntrinsicInst* before = as_gather(i);
            if (before && reads_all_of(*before, gather)) return before;
        }
        block = block->getSinglePredecessor();
        if (block) i = block->getTerminator();
    }
    return nullptr;
}

} // namespace

llvm::PreservedAnalyses SameGatherPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    llvm::SmallVector<llvm::IntrinsicInst*, 8> gathers;
    for (llvm::Instruction& i : llvm::instructions(function))
        if (llvm::IntrinsicInst* gather = as_gather(&i))
            if (is_in_device(gather->getArgOperand(kPointers)->getType()->getScalarType()) &&
                llvm::count_if(gather->getArgOperand(kPointers)->users(), as_gather) > 1)
                gathers.push_back(gather);
    bool changed = false;
    for (llvm::IntrinsicInst* gather : gathers) {
        llvm::Value* read = same_before(*gather);
        if (!read) continue;
        llvm::Value* otherwise = gather->getArgOperand(kOtherwise);
        llvm::IRBuilder<> b(gather);
        if (!llvm::isa<llvm::UndefValue>(otherwise))
            read = b.CreateSelect(gather->getArgOperand(kMask), read, otherwise);
        gather->replaceAllUsesWith(read);
        gather->eraseFromParent();
        changed = true;
    }
    if (!changed) return llvm::PreservedAnalyses::all();
    llvm::PreservedAnalyses kept;
    kept.preserveSet<llvm::CFGAnalyses>();
    return kept;
}

} // namespace warplight::jit
