// SPDX-License-Identifier: Apache-2.0
#include "address_pass.hpp"

#include "software/jit/ir_conventions.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>
#include <llvm/Transforms/Utils/Local.h>

#include <algorithm>
#include <set>
#include <unordered_map>
#include <vector>

namespace warplight::jit {

using llvm::Instruction;
using llvm::Value;

namespace {

class Rewriter {
public:
    explicit Rewriter(llvm::Function& f) : function_(f), b_(f.getContext()) {}

    bool run() {
        std::vector<llvm::IntToPtrInst*> casts;
        for (Instruction& i : llvm::instructions(function_))
            if (auto* cast = llvm::dyn_cast<llvm::IntToPtrInst>(&i); cast && cast->getSrcTy()->isIntegerTy(64))
                casts.push_back(cast);
        // The integers that nothing needs any more are deleted at the end.
        llvm::SmallVector<llvm::WeakTrackingVH> perhaps_dead;
        for (llvm::IntToPtrInst* cast : casts) {
            Value* sum = cast->getOperand(0);
            if (!is_sum(sum)) continue;
            cast->replaceAllUsesWith(pointer_of(sum));
            cast->eraseFromParent();
            perhaps_dead.emplace_back(sum);
        }
        const bool changed = !perhaps_dead.empty();
        pointers_.clear();
        llvm::RecursivelyDeleteTriviallyDeadInstructionsPermissive(perhaps_dead);
        return changed;
    }

private:
    llvm::PointerType* device_pointer() { return b_.getPtrTy(kDeviceSpace); }

    static bool is_device_address(const Value* v) {
        const auto* cast = llvm::dyn_cast<llvm::PtrToIntOperator>(v);
        return cast && cast->getPointerAddressSpace() == kDeviceSpace;
    }

    static bool is_sum(const Value* v) {
        return is_device_address(v) || llvm::isa<llvm::PHINode>(v) || llvm::isa<llvm::SelectInst>(v) ||
               is_addition(v) || is_operation(v, Instruction::Sub);
    }

    static bool is_operation(const Value* v, unsigned opcode) {
        const auto* i = llvm::dyn_cast<Instruction>(v);
        return i && i->getOpcode() == opcode;
    }

    /// An addition, also one that was made an `or` because no bits overlap.
    static bool is_addition(const Value* v) {
        if (is_operation(v, Instruction::Add)) return true;
        const auto* disjoint = llvm::dyn_cast<llvm::PossiblyDisjointInst>(v);
        return disjoint && disjoint->isDisjoint();
    }

    /// How much a value looks like an address rather than an offset. The search is limited: paths through phis
    /// multiply.
    int rank(const Value* v) {
        constexpr unsigned kMostSteps = 512;
        steps_left_ = kMostSteps;
        return rank(v, 0);
    }
    int rank(const Value* v, unsigned depth) {
        if (is_device_address(v)) return 100;
        if (llvm::isa<llvm::Constant>(v) || depth > 12 || steps_left_ == 0) return 0;
        --steps_left_;
        if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(v))
            return load->hasMetadata(llvm::LLVMContext::MD_invariant_load) ? 60 : 50;
        const auto* i = llvm::dyn_cast<Instruction>(v);
        if (!i) return 40;
        switch (i->getOpcode()) {
        case Instruction::PHI: {
            if (!visiting_.insert(v).second) return 0;
            int best = 0;
            for (const Value* in : llvm::cast<llvm::PHINode>(i)->incoming_values())
                best = std::max(best, rank(in, depth + 1));
            visiting_.erase(v);
            return best;
        }
        case Instruction::Select: return std::max(rank(i->getOperand(1), depth + 1), rank(i->getOperand(2), depth + 1));
        case Instruction::Or:
            if (!is_addition(v)) return 1;
            [[fallthrough]];
        case Instruction::Add: return std::max(rank(i->getOperand(0), depth + 1), rank(i->getOperand(1), depth + 1));
        case Instruction::Sub: return rank(i->getOperand(0), depth + 1);
        case Instruction::And: return std::max(1, rank(i->getOperand(0), depth + 1) - 10);
        case Instruction::Call:
        case Instruction::ExtractValue: return 40;
        default: return 1;
        }
    }

    void go_behind(Value* v) {
        if (auto* phi = llvm::dyn_cast<llvm::PHINode>(v)) {
            b_.SetInsertPoint(phi->getParent()->getFirstInsertionPt());
        } else if (auto* i = llvm::dyn_cast<Instruction>(v)) {
            b_.SetInsertPoint(i->getNextNode());
        } else {
            b_.SetInsertPoint(function_.getEntryBlock().getFirstInsertionPt());
        }
    }

    Value* add(Value* base, Value* offset, Instruction* at) {
        Value* pointer = pointer_of(base);
        b_.SetInsertPoint(at);
        b_.SetCurrentDebugLocation(at->getDebugLoc());
        return b_.CreateGEP(b_.getInt8Ty(), pointer, offset);
    }

    Value* pointer_of(Value* v) {
        if (const auto known = pointers_.find(v); known != pointers_.end()) return known->second;
        constexpr unsigned kDeepest = 2000; // nested sums: the stack is limited
        ++depth_;
        Value* pointer = depth_ < kDeepest ? make_pointer(v) : cast(v);
        --depth_;
        pointers_[v] = pointer;
        return pointer;
    }

    Value* make_pointer(Value* v) {
        if (is_device_address(v)) return llvm::cast<llvm::PtrToIntOperator>(v)->getPointerOperand();
        auto* i = llvm::dyn_cast<Instruction>(v);
        if (i && is_addition(v)) {
            Value* left = i->getOperand(0);
            Value* right = i->getOperand(1);
            if (rank(right) > rank(left)) std::swap(left, right);
            return add(left, right, i);
        }
        if (i && i->getOpcode() == Instruction::Sub && rank(i->getOperand(0)) >= 40) {
            b_.SetInsertPoint(i);
            b_.SetCurrentDebugLocation(i->getDebugLoc());
            return add(i->getOperand(0), b_.CreateNeg(i->getOperand(1)), i);
        }
        if (auto* phi = llvm::dyn_cast<llvm::PHINode>(v); phi && rank(v) >= 40) {
            b_.SetInsertPoint(phi);
            llvm::PHINode* pointer = b_.CreatePHI(device_pointer(), phi->getNumIncomingValues());
            pointers_[v] = pointer;
            for (unsigned k = 0; k < phi->getNumIncomingValues(); ++k)
                pointer->addIncoming(pointer_of(phi->getIncomingValue(k)), phi->getIncomingBlock(k));
            return pointer;
        }
        if (auto* select = llvm::dyn_cast<llvm::SelectInst>(v); select && rank(v) >= 40) {
            Value* yes = pointer_of(select->getTrueValue());
            Value* no = pointer_of(select->getFalseValue());
            b_.SetInsertPoint(select);
            b_.SetCurrentDebugLocation(select->getDebugLoc());
            return b_.CreateSelect(select->getCondition(), yes, no);
        }
        return cast(v);
    }
    Value* cast(Value* v) {
        go_behind(v);
        const auto* i = llvm::dyn_cast<Instruction>(v);
        b_.SetCurrentDebugLocation(i ? i->getDebugLoc() : llvm::DebugLoc());
        return b_.CreateIntToPtr(v, device_pointer());
    }

    llvm::Function& function_;
    llvm::IRBuilder<> b_;
    std::unordered_map<Value*, Value*> pointers_;
    std::set<const Value*> visiting_;
    unsigned steps_left_ = 0, depth_ = 0;
};

} // namespace

llvm::PreservedAnalyses AddressPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    if (!Rewriter(function).run()) return llvm::PreservedAnalyses::all();
    llvm::PreservedAnalyses kept;
    kept.preserveSet<llvm::CFGAnalyses>();
    return kept;
}

} // namespace warplight::jit
