// SPDX-License-Identifier: Apache-2.0
#include "launch_facts_pass.hpp"

#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <vector>

namespace warplight::jit {
namespace {

constexpr const char *kPlainTexture = "wl_rt_plain_texture", *kPlainSurface = "wl_rt_plain_surface";

class Facts {
public:
    explicit Facts(llvm::Function& function) : entry_(function.getEntryBlock()) { find_always_run(); }

    /// Hoists what a field of a texture is read by, operands first.
    bool hoist(llvm::LoadInst& load) {
        const auto* call = llvm::dyn_cast<llvm::CallInst>(load.getPointerOperand()->stripInBoundsConstantOffsets());
        if (!call || !is_look_up(call->getCalledFunction()) || !is_fixed(load)) return false;
        llvm::SmallSetVector<llvm::Instruction*, 16> needed;
        if (!collect(&load, needed)) return false;
        for (llvm::Instruction* i : needed)
            i->moveBefore(entry_.getTerminator());
        return !needed.empty();
    }

private:
    /// The loads that every call of the function reaches: those in the first rounds of its loops.
    void find_always_run() {
        llvm::SmallPtrSet<const llvm::BasicBlock*, 8> seen;
        for (const llvm::BasicBlock* block = &entry_; block && seen.insert(block).second;
             block = block->getSingleSuccessor())
            for (const llvm::Instruction& i : *block) {
                if (llvm::isa<llvm::LoadInst>(i)) always_run_.insert(&i);
                if (!llvm::isGuaranteedToTransferExecutionToSuccessor(&i)) return;
            }
    }

    static bool is_look_up(const llvm::Function* f) {
        return f && (f->getName() == kPlainTexture || f->getName() == kPlainSurface);
    }
    static bool is_fixed(const llvm::Instruction& i) {
        return !i.mayReadFromMemory() || i.hasMetadata(llvm::LLVMContext::MD_invariant_load);
    }

    bool collect(llvm::Value* value, llvm::SmallSetVector<llvm::Instruction*, 16>& needed) {
        auto* i = llvm::dyn_cast<llvm::Instruction>(value);
        if (!i || i->getParent() == &entry_ || needed.contains(i)) return true;
        if (llvm::isa<llvm::PHINode>(i) || !is_fixed(*i)) return false;
        if (!always_run_.contains(i) && !llvm::isSafeToSpeculativelyExecute(i, entry_.getTerminator())) return false;
        if (!std::all_of(i->op_begin(), i->op_end(), [&](llvm::Value* operand) { return collect(operand, needed); }))
            return false;
        needed.insert(i);
        return true;
    }

    llvm::BasicBlock& entry_;
    llvm::SmallPtrSet<const llvm::Instruction*, 16> always_run_;
};

} // namespace

llvm::PreservedAnalyses LaunchFactsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    const llvm::Module& module = *function.getParent();
    if (!module.getFunction(kPlainTexture) && !module.getFunction(kPlainSurface)) return llvm::PreservedAnalyses::all();
    std::vector<llvm::LoadInst*> loads;
    for (llvm::BasicBlock& block : llvm::drop_begin(function))
        for (llvm::Instruction& i : block)
            if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&i)) loads.push_back(load);
    Facts facts(function);
    bool changed = false;
    for (llvm::LoadInst* load : loads)
        changed = facts.hoist(*load) || changed;
    if (!changed) return llvm::PreservedAnalyses::all();
    llvm::PreservedAnalyses preserved;
    preserved.preserveSet<llvm::CFGAnalyses>();
    return preserved;
}

} // namespace warplight::jit
