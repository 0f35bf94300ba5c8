// SPDX-License-Identifier: Apache-2.0
#include "grid_stride_pass.hpp"

#include "software/jit/ir_conventions.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/SSAUpdater.h>

#include <map>
#include <vector>

namespace warplight::jit {

namespace {

/// The number of the first lane that a vector is made of, by constants and by operations that cost next to nothing.
llvm::Instruction* number_within(llvm::Value* value) {
    auto* i = llvm::dyn_cast<llvm::Instruction>(value);
    if (!i || !i->getType()->isVectorTy()) return nullptr;
    if (auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(i)) {
        auto* insert = llvm::dyn_cast<llvm::InsertElementInst>(shuffle->getOperand(0));
        if (!shuffle->isZeroEltSplat() || !insert) return nullptr;
        return llvm::dyn_cast<llvm::Instruction>(insert->getOperand(1));
    }
    if (llvm::isa<llvm::FreezeInst>(i)) return number_within(i->getOperand(0));
    if (!llvm::isa<llvm::BinaryOperator>(i)) return nullptr;
    if (llvm::isa<llvm::Constant>(i->getOperand(1))) return number_within(i->getOperand(0));
    if (llvm::isa<llvm::Constant>(i->getOperand(0))) return number_within(i->getOperand(1));
    return nullptr;
}

/// The vector again, of another number.
llvm::Value* vector_again(llvm::IRBuilderBase& b, llvm::Value* vector, llvm::Value* scalar) {
    auto* i = llvm::dyn_cast<llvm::Instruction>(vector);
    if (!i) return vector; // a constant
    if (llvm::isa<llvm::ShuffleVectorInst>(i))
        return b.CreateVectorSplat(llvm::cast<llvm::VectorType>(i->getType())->getElementCount(), scalar);
    if (llvm::isa<llvm::FreezeInst>(i)) return vector_again(b, i->getOperand(0), scalar);
    llvm::Instruction* again = i->clone();
    for (llvm::Use& operand : again->operands())
        operand.set(vector_again(b, operand.get(), scalar));
    return b.Insert(again);
}

/// Makes copies of values at a suspension, which take their places behind it.
class Copies {
public:
    explicit Copies(llvm::BasicBlock& suspension)
        : at_(suspension), b_(&suspension, suspension.getFirstInsertionPt()) {}

    void replace(llvm::Instruction& value) {
        std::vector<llvm::Use*> uses;
        for (llvm::Use& use : value.uses()) {
            const auto* user = llvm::cast<llvm::Instruction>(use.getUser());
            const auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
            const llvm::BasicBlock* at = phi ? phi->getIncomingBlock(use) : user->getParent();
            if (at != value.getParent() && at != &at_) uses.push_back(&use);
        }
        if (uses.empty()) return;
        llvm::Instruction* scalar = number_within(&value);
        llvm::Value* copy = scalar ? vector_again(b_, &value, copy_of(*scalar)) : copy_of(value);
        llvm::SSAUpdater updater;
        updater.Initialize(value.getType(), "turn");
        updater.AddAvailableValue(value.getParent(), &value);
        updater.AddAvailableValue(&at_, copy);
        for (llvm::Use* use : uses)
            updater.RewriteUse(*use);
    }

private:
    /// No pass removes a freeze, as it would any other copy.
    llvm::Value* copy_of(llvm::Instruction& value) {
        llvm::Value*& copy = copies_[&value];
        if (!copy) copy = b_.CreateFreeze(&value, "kept");
        return copy;
    }

    llvm::BasicBlock& at_;
    llvm::IRBuilder<> b_;
    std::map<llvm::Instruction*, llvm::Value*> copies_;
};

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
        Copies copies(*suspension);
        for (llvm::Instruction* value : values)
            copies.replace(*value);
    }
    llvm::PreservedAnalyses kept;
    kept.preserveSet<llvm::CFGAnalyses>();
    return kept;
}

} // namespace warplight::jit
