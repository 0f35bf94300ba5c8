// SPDX-License-Identifier: Apache-2.0
#include "low_bits_pass.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/ValueHandle.h>
#include <llvm/Transforms/Utils/Local.h>

#include <map>
#include <vector>

namespace warplight::jit {
namespace {

using llvm::dyn_cast;
using llvm::Instruction;
using llvm::Value;

/// Rounds until phis that depend on each other are settled; with more, nothing is claimed.
constexpr unsigned kMostRounds = 16;

/// Finds an earlier value with the same low bits. Each value is visited once.
class Origins {
public:
    Origins(const llvm::DataLayout& layout, unsigned bits) : layout_(layout), bits_(bits) {}

    Value* find(Value* v) {
        Value* base = without_multiples(v);
        auto* phi = dyn_cast<llvm::PHINode>(base);
        if (!phi) return base;
        if (!origins_.contains(phi)) settle(*phi);
        return origins_[phi];
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
    /// The summand of a value that is no multiple: a phi, or an unknown value.
    Value* without_multiples(Value* v) {
        std::vector<Value*> way;
        while (true) {
            if (const auto known = bases_.find(v); known != bases_.end()) {
                v = known->second;
                break;
            }
            way.push_back(v);
            auto* i = dyn_cast<Instruction>(v);
            if (!i) break;
            if (i->getOpcode() == Instruction::Trunc) {
                v = i->getOperand(0);
            } else if (is_sum(*i) && is_multiple(i->getOperand(1))) {
                v = i->getOperand(0);
            } else if (is_sum(*i) && is_multiple(i->getOperand(0))) {
                v = i->getOperand(1);
            } else {
                break;
            }
        }
        for (Value* passed : way)
            bases_[passed] = v;
        return v;
    }

    /// The origin of a phi is the origin of all its incoming values, or the phi itself where these differ. Phis in a
    /// cycle start with no origin. A phi whose incoming origins differ becomes its own origin, and stays so.
    void settle(llvm::PHINode& phi) {
        std::vector<llvm::PHINode*> found, todo{&phi};
        llvm::DenseSet<llvm::PHINode*> seen{&phi};
        while (!todo.empty()) {
            llvm::PHINode* at = todo.back();
            todo.pop_back();
            found.push_back(at);
            for (Value* in : at->incoming_values())
                if (auto* other = dyn_cast<llvm::PHINode>(without_multiples(in)))
                    if (!origins_.contains(other) && seen.insert(other).second) todo.push_back(other);
        }
        bool changed = true;
        for (unsigned round = 0; changed && round < kMostRounds; ++round) {
            changed = false;
            // Operands were found after their users, so they come first here.
            for (auto at = found.rbegin(); at != found.rend(); ++at) {
                Value*& origin = origins_[*at];
                if (origin == *at) continue;
                Value* now = common_origin(**at);
                if (now == origin) continue;
                origins_[*at] = now;
                changed = true;
            }
        }
        for (llvm::PHINode* one : found)
            if (changed || !origins_[one]) origins_[one] = one;
    }
    /// Null: nothing yet.
    Value* common_origin(llvm::PHINode& phi) {
        Value* only = nullptr;
        for (Value* in : phi.incoming_values()) {
            Value* origin = without_multiples(in);
            if (auto* other = dyn_cast<llvm::PHINode>(origin)) origin = origins_.lookup(other);
            if (!origin || origin == only) continue;
            if (only) return &phi;
            only = origin;
        }
        return only;
    }

    const llvm::DataLayout& layout_;
    unsigned bits_;
    llvm::DenseMap<Value*, Value*> bases_;
    llvm::DenseMap<llvm::PHINode*, Value*> origins_; ///< null: nothing yet
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
    std::map<unsigned, Origins> origins; // by the number of bits
    std::vector<Value*> answers;
    answers.reserve(questions.size());
    for (const auto& [at, bits] : questions)
        answers.push_back(
            origins.try_emplace(bits, function.getDataLayout(), bits).first->second.find(at->getOperand(0)));
    bool changed = false;
    llvm::SmallVector<llvm::WeakTrackingVH> perhaps_dead;
    for (std::size_t k = 0; k < questions.size(); ++k) {
        Instruction* at = questions[k].at;
        Value* asked = at->getOperand(0);
        Value* origin = answers[k];
        if (origin == asked || !dominators.dominates(origin, at)) continue;
        llvm::IRBuilder<> b(at);
        at->setOperand(0, b.CreateZExtOrTrunc(origin, at->getType()));
        perhaps_dead.emplace_back(asked);
        changed = true;
    }
    llvm::RecursivelyDeleteTriviallyDeadInstructionsPermissive(perhaps_dead);
    if (!changed) return llvm::PreservedAnalyses::all();
    llvm::PreservedAnalyses kept;
    kept.preserveSet<llvm::CFGAnalyses>();
    return kept;
}

} // namespace warplight::jit
