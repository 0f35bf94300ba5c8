// SPDX-License-Identifier: Apache-2.0
#include "half_compare_pass.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace warplight::jit {

llvm::PreservedAnalyses HalfComparePass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    bool changed = false;
    for (llvm::Instruction& i : llvm::make_early_inc_range(llvm::instructions(function))) {
        auto* compare = llvm::dyn_cast<llvm::FCmpInst>(&i);
        if (!compare) continue;
        llvm::Type* type = compare->getOperand(0)->getType();
        if (!type->isVectorTy() || !type->getScalarType()->isHalfTy()) continue;
        llvm::IRBuilder<> b(compare);
        llvm::Type* floats = type->getWithNewType(b.getFloatTy());
        llvm::Value* x = b.CreateFPExt(compare->getOperand(0), floats);
        llvm::Value* y = b.CreateFPExt(compare->getOperand(1), floats);
        compare->replaceAllUsesWith(b.CreateFCmp(compare->getPredicate(), x, y));
        compare->eraseFromParent();
        changed = true;
    }
    return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace warplight::jit
