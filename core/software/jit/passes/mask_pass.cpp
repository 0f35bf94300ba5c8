// SPDX-License-Identifier: Apache-2.0
#include "mask_pass.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace warplight::jit {
namespace {

bool is_mask(const llvm::Type* type) { return type->isVectorTy() && type->getScalarType()->isIntegerTy(1); }

bool is_all(const llvm::Value* value, bool ones) {
    const auto* constant = llvm::dyn_cast<llvm::Constant>(value);
    return constant && (ones ? constant->isAllOnesValue() : constant->isNullValue());
}

} // namespace

llvm::PreservedAnalyses MaskPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    bool changed = false;
    for (llvm::Instruction& i : llvm::make_early_inc_range(llvm::instructions(function))) {
        auto* choice = llvm::dyn_cast<llvm::SelectInst>(&i);
        if (!choice || !is_mask(choice->getType()) || choice->getCondition()->getType()->isVectorTy()) continue;
        const bool straight = is_all(choice->getTrueValue(), true) && is_all(choice->getFalseValue(), false);
        const bool turned = is_all(choice->getTrueValue(), false) && is_all(choice->getFalseValue(), true);
        if (!straight && !turned) continue;
        llvm::IRBuilder<> b(choice);
        llvm::Value* condition = turned ? b.CreateNot(choice->getCondition()) : choice->getCondition();
        const auto count = llvm::cast<llvm::FixedVectorType>(choice->getType())->getNumElements();
        choice->replaceAllUsesWith(b.CreateVectorSplat(count, condition));
        choice->eraseFromParent();
        changed = true;
    }
    return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace warplight::jit
