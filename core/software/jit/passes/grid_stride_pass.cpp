// SPDX-License-Identifier: Apache-2.0
#include "grid_stride_pass.hpp"

#include "software/jit/ir_conventions.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/SSAUpdater.h>

#include <vector>

namespace warplight::jit {

namespace {

/// The copy takes the value's place after the suspension.
void copy_at(llvm::BasicBlock& suspension, llvm::Instruction& value) {
    std::vector<llvm::Use*> uses;
    for (llvm::Use& use : value.uses()) {
        const auto* user = llvm::cast<llvm::Instruction>(use.getUser());
        const auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
        const llvm::BasicBlock* at = phi ? phi->getIncomingBlock(use) : user->getParent();
        if (at != value.getParent() && at != &suspension) uses.push_back(&use);
    }
    if (uses.empty()) return;
    // No pass removes a freeze, as it would any other copy.
    auto* copy = new llvm::FreezeInst(&value, "kept", suspension.getFirstInsertionPt());
    llvm::SSAUpdater updater;
    updater.Initialize(value.getType(), "turn");
    updater.AddAvailableValue(value.getParent(), &value);
    updater.AddAvailableValue(&suspension, copy);
    for (llvm::Use* use : uses)
        updater.RewriteUse(*use);
    if (copy->use_empty()) copy->eraseFromParent();
}

} // namespace

llvm::PreservedAnalyses GridStridePass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    std::vector<llvm::BasicBlock*> suspensions;
    for (llvm::Instruction& i : llvm::instructions(function))
        if (i.getMetadata(kRareSuspensionMetadata)) suspensions.push_back(i.getParent());
    if (suspensions.empty()) return llvm::PreservedAnalyses::all();
    const auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
    const auto& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
    for (llvm::BasicBlock* suspension : suspensions) {
        const llvm::Loop* loop = loops.getLoopFor(suspension);
        if (!loop) continue;
        std::vector<llvm::Instruction*> values;
        for (llvm::BasicBlock* block : loop->blocks())
            if (block != suspension && dominators.dominates(block, suspension))
                for (llvm::Instruction& i : *block)
                    if (!i.getType()->isVoidTy() && !i.getType()->isTokenTy()) values.push_back(&i);
        for (llvm::Instruction* value : values)
            copy_at(*suspension, *value);
    }
    llvm::PreservedAnalyses kept;
    kept.preserveSet<llvm::CFGAnalyses>();
    return kept;
}

} // namespace warplight::jit
