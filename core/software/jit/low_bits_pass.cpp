// SPDX-License-Identifier: Apache-2.0
#include "low_bits_pass.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Local.h>

#include <set>
#include <vector>

namespace warplight::jit {
namespace {

using llvm::dyn_cast;
using llvm::Instruction;
using llvm::Value;

constexpr unsigned kDeepest = 32;

/// Of values, one with the same low bits that was there before.
class Origins {
public:
    Origins(const llvm::DataLayout& layout, unsigned bits) : layout_(layout), bits_(bits) {}

    Value* find(Value* v, unsigned depth = 0) {
        while (true) {
            if (auto* phi = dyn_cast<llvm::PHINode>(v)) {
                Value* before = depth < kDeepest ? before_loop(*phi, depth) : nullptr;
                if (!before) return v;
                v = before;
                continue;
            }
            auto* i = dyn_cast<Instruction>(v);
            if (!i) return v;
            if (i->getOpcode() == Instruction::Trunc) {
                v = i->getOperand(0);
            } else if (is_sum(*i)) {
                if (is_multiple(i->getOperand(1)))
                    v = i->getOperand(0);
                else if (is_multiple(i->getOperand(0)))
                    v = i->getOperand(1);
                else
                    return v;
            } else {
                return v;
            }
        }
    }

private:
    static bool is_sum(const Instruction& i) {
        if (i.getOpcode() == Instruction::Add) return true;
        const auto* disjoint = dyn_cast<llvm::PossiblyDisjointInst>(&i);
        return disjoint && disjoint->isDisjoint();
    }
    [[nodiscard]] bool is_multiple(const Value* v) const {
        const unsigned width = v->getType()->getScalarSizeInBits();
        return llvm::MaskedValueIsZero(v, llvm::APInt::getLowBitsSet(width, bits_), llvm::SimplifyQuery(layout_));
    }
    /// Null: it may be one thing or another.
    Value* before_loop(llvm::PHINode& phi, unsigned depth) {
        if (!visiting_.insert(&phi).second) return nullptr;
        Value* only = nullptr;
        for (Value* in : phi.incoming_values()) {
            Value* origin = find(in, depth + 1);
            if (origin == &phi || origin == only) continue;
            if (only) {
                only = nullptr;
                break;
            }
            only = origin;
        }
        visiting_.erase(&phi);
        return only;
    }

    const llvm::DataLayout& layout_;
    unsigned bits_;
    std::set<const llvm::PHINode*> visiting_;
};

} // namespace

llvm::PreservedAnalyses LowBitsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    struct Question {
        Instruction* at;
        unsigned bits;
    };
    std::vector<Question> questions;
    for (Instruction& i : llvm::instructions(function)) {
        if (i.getOpcode() != Instruction::And || !i.getType()->isIntegerTy()) continue;
        const auto* mask = dyn_cast<llvm::ConstantInt>(i.getOperand(1));
        if (!mask || !mask->getValue().isMask() || mask->getValue().popcount() > 4) continue;
        questions.push_back({&i, mask->getValue().popcount()});
    }
    if (questions.empty()) return llvm::PreservedAnalyses::all();
    const auto& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
    bool changed = false;
    for (const auto& [at, bits] : questions) {
        Value* asked = at->getOperand(0);
        Value* origin = Origins(function.getDataLayout(), bits).find(asked);
        if (origin == asked || !dominators.dominates(origin, at)) continue;
        llvm::IRBuilder<> b(at);
        at->setOperand(0, b.CreateZExtOrTrunc(origin, at->getType()));
        if (auto* old = dyn_cast<Instruction>(asked)) llvm::RecursivelyDeleteTriviallyDeadInstructions(old);
        changed = true;
    }
    if (!changed) return llvm::PreservedAnalyses::all();
    llvm::PreservedAnalyses kept;
    kept.preserveSet<llvm::CFGAnalyses>();
    return kept;
}

} // namespace warplight::jit
