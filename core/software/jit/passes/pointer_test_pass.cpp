// SPDX-License-Identifier: Apache-2.0
#include "pointer_test_pass.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

namespace warplight::jit {
namespace {

using llvm::dyn_cast;
using llvm::Instruction;
using llvm::Value;

/// No memory is there, nor anywhere near.
constexpr std::uint64_t kNowhere = std::uint64_t{1} << 62;
constexpr unsigned kMostBlocks = 16; ///< that are looked at behind a test

/// Ends the thread, as an address is not aligned.
bool stops(const llvm::BasicBlock& block) {
    const auto* call = dyn_cast<llvm::CallInst>(block.getFirstNonPHIOrDbg());
    return call && call->getCalledFunction() && call->getCalledFunction()->getName() == "wl_rt_misaligned" &&
           llvm::isa<llvm::ConstantPointerNull>(call->getArgOperand(0)) &&
           llvm::isa<llvm::UnreachableInst>(block.getTerminator());
}

/// A branch to the end if low bits of an address are set.
struct Test {
    llvm::BranchInst* branch;
    llvm::LoadInst* address; ///< a parameter
    std::uint64_t bits;
    unsigned passed; ///< successor
};

std::optional<Test> test_of(llvm::BranchInst* branch) {
    if (!branch || !branch->isConditional()) return std::nullopt;
    const auto* compare = dyn_cast<llvm::ICmpInst>(branch->getCondition());
    if (!compare || !compare->isEquality()) return std::nullopt;
    const auto* zero = dyn_cast<llvm::ConstantInt>(compare->getOperand(1));
    const auto* bits = dyn_cast<llvm::BinaryOperator>(compare->getOperand(0));
    if (!zero || !zero->isZero() || !bits || bits->getOpcode() != Instruction::And) return std::nullopt;
    const auto* mask = dyn_cast<llvm::ConstantInt>(bits->getOperand(1));
    Value* of = bits->getOperand(0);
    if (auto* low = dyn_cast<llvm::TruncInst>(of)) of = low->getOperand(0);
    auto* load = dyn_cast<llvm::LoadInst>(of);
    if (!mask || !load || !load->getType()->isIntegerTy(64) || !load->hasMetadata(llvm::LLVMContext::MD_invariant_load))
        return std::nullopt;
    const unsigned passed = compare->getPredicate() == llvm::CmpInst::ICMP_EQ ? 0 : 1;
    if (!stops(*branch->getSuccessor(1 - passed)) || stops(*branch->getSuccessor(passed))) return std::nullopt;
    return Test{branch, load, mask->getZExtValue(), passed};
}

/// Accesses of one parameter.
class Parameter {
public:
    explicit Parameter(llvm::LoadInst& address) : address_(address) {}

    std::vector<Test> tests;

    bool run() {
        bits_ = std::min_element(tests.begin(), tests.end(), [](const Test& a, const Test& b) {
                    return a.bits < b.bits;
                })->bits;
        if (!find_accesses()) return false;
        std::vector<Test> needless;
        for (const Test& each : tests)
            if (each.bits == bits_ && only_faults(*each.branch->getSuccessor(each.passed))) needless.push_back(each);
        if (needless.empty()) return false;
        replace_address();
        for (const Test& each : needless)
            remove(each);
        return true;
    }

private:
    /// False: some use it for something else, or need another alignment.
    bool find_accesses() {
        std::vector<Instruction*> pointers;
        for (llvm::User* user : address_.users()) {
            if (auto* cast = dyn_cast<llvm::IntToPtrInst>(user)) {
                casts_.push_back(cast);
                pointers.push_back(cast);
            } else if (auto* sum = dyn_cast<llvm::BinaryOperator>(user); sum && is_for_helpers(*sum)) {
                if (!is_multiple(sum->getOperand(sum->getOperand(0) == &address_ ? 1 : 0))) return false;
                sums_.push_back(sum);
            }
        }
        while (!pointers.empty()) {
            Instruction* pointer = pointers.back();
            pointers.pop_back();
            for (llvm::User* user : pointer->users()) {
                auto* i = llvm::cast<Instruction>(user);
                if (auto* element = dyn_cast<llvm::GetElementPtrInst>(i)) {
                    if (element->getPointerOperand() != pointer || !is_multiple(*element)) return false;
                    pointers.push_back(element);
                } else if (const auto* type = accessed_by(*i, pointer)) {
                    if (type->getScalarSizeInBits() / 8 <= bits_) return false;
                    accesses_.insert(i);
                } else if (!is_prefetch(*i)) {
                    return false;
                }
            }
        }
        return !accesses_.empty();
    }

    /// Whether an offset leaves the bits as they are.
    [[nodiscard]] bool is_multiple(const Value* offset) const {
        const unsigned width = offset->getType()->getScalarSizeInBits();
        const llvm::APInt low = llvm::APInt::getLowBitsSet(width, static_cast<unsigned>(std::popcount(bits_)));
        return llvm::MaskedValueIsZero(offset, low, llvm::SimplifyQuery(address_.getModule()->getDataLayout()));
    }
    [[nodiscard]] bool is_multiple(const llvm::GetElementPtrInst& element) const {
        if (element.getNumIndices() != 1) return false;
        const llvm::TypeSize size =
            element.getModule()->getDataLayout().getTypeAllocSize(element.getSourceElementType());
        if (!size.isScalable() && (size.getFixedValue() & bits_) == 0) return true;
        return size == llvm::TypeSize::getFixed(1) && is_multiple(*element.idx_begin());
    }

    static bool is_prefetch(const Instruction& i) {
        const auto* call = dyn_cast<llvm::IntrinsicInst>(&i);
        return call && call->getIntrinsicID() == llvm::Intrinsic::prefetch;
    }
    static const llvm::Type* accessed_by(const Instruction& i, const Value* pointer) {
        if (const auto* load = dyn_cast<llvm::LoadInst>(&i)) return load->getType();
        if (const auto* store = dyn_cast<llvm::StoreInst>(&i))
            return store->getValueOperand() == pointer ? nullptr : store->getValueOperand()->getType();
        const auto* call = dyn_cast<llvm::IntrinsicInst>(&i);
        if (!call) return nullptr;
        switch (call->getIntrinsicID()) {
        case llvm::Intrinsic::masked_load:
        case llvm::Intrinsic::masked_gather: return call->getType();
        case llvm::Intrinsic::masked_store:
        case llvm::Intrinsic::masked_scatter: return call->getArgOperand(0)->getType();
        default: return nullptr;
        }
    }
    /// Those that access lanes one after the other where their addresses are no neighbours after all.
    static bool is_helper(const llvm::CallInst& call) {
        const llvm::Function* f = call.getCalledFunction();
        return f && (f->getName().starts_with("wl_load_neighbours") || f->getName().starts_with("wl_store_neighbours"));
    }
    static bool is_for_helpers(const llvm::BinaryOperator& sum) {
        return sum.getOpcode() == Instruction::Add &&
               std::all_of(sum.user_begin(), sum.user_end(), [](const Value* user) {
                   const auto* call = dyn_cast<llvm::CallInst>(user);
                   return call && is_helper(*call);
               });
    }

    /// Whether an access faults behind a test before anything else comes to pass.
    bool only_faults(llvm::BasicBlock& begin) {
        std::vector<llvm::BasicBlock*> todo{&begin};
        llvm::SmallPtrSet<llvm::BasicBlock*, kMostBlocks> seen;
        while (!todo.empty()) {
            llvm::BasicBlock* block = todo.back();
            todo.pop_back();
            if (!seen.insert(block).second || seen.size() > kMostBlocks) return false; // perhaps a loop without an end
            const std::optional<bool> faults = faults_in(*block);
            if (faults == false) return false;
            if (faults == true) continue;
            for (llvm::BasicBlock* next : llvm::successors(block))
                if (!stops(*next)) todo.push_back(next);
        }
        return true;
    }
    /// Nullopt: the code only computes.
    std::optional<bool> faults_in(const llvm::BasicBlock& block) {
        for (const Instruction& i : block) {
            if (accesses_.contains(&i)) return true;
            if (const auto* call = dyn_cast<llvm::CallInst>(&i); call && is_helper(*call)) {
                const bool by_sum = std::any_of(call->arg_begin(), call->arg_end(), [&](const Value* argument) {
                    return std::find(sums_.begin(), sums_.end(), argument) != sums_.end();
                });
                return by_sum;
            }
            if (i.isTerminator()) return llvm::succ_empty(&block) ? std::optional(false) : std::nullopt;
            if (i.mayWriteToMemory() && !is_prefetch(i) && !i.isLifetimeStartOrEnd() && !is_of_stack(i)) return false;
        }
        return std::nullopt;
    }
    static bool is_of_stack(const Instruction& i) {
        const auto* store = dyn_cast<llvm::StoreInst>(&i);
        return store && llvm::isa<llvm::AllocaInst>(store->getPointerOperand()->stripInBoundsOffsets());
    }

    void replace_address() {
        llvm::IRBuilder<> b(address_.getNextNode());
        b.SetCurrentDebugLocation(address_.getDebugLoc());
        Value* wrong = b.CreateIsNotNull(b.CreateAnd(&address_, b.getInt64(bits_)));
        Value* checked = b.CreateSelect(wrong, b.getInt64(kNowhere), &address_);
        for (llvm::IntToPtrInst* cast : casts_)
            cast->setOperand(0, checked);
        for (llvm::BinaryOperator* sum : sums_)
            sum->replaceUsesOfWith(&address_, checked);
    }

    static void remove(const Test& test) {
        llvm::BasicBlock* stop = test.branch->getSuccessor(1 - test.passed);
        stop->removePredecessor(test.branch->getParent());
        llvm::BranchInst::Create(test.branch->getSuccessor(test.passed), test.branch->getIterator())
            ->setDebugLoc(test.branch->getDebugLoc());
        test.branch->eraseFromParent();
    }

    llvm::LoadInst& address_;
    std::uint64_t bits_ = 0;
    std::vector<llvm::IntToPtrInst*> casts_;
    std::vector<llvm::BinaryOperator*> sums_; ///< addresses that helpers get
    llvm::SmallPtrSet<const Instruction*, 16> accesses_;
};

} // namespace

llvm::PreservedAnalyses PointerTestPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    std::vector<Parameter> parameters; // in the order of the code
    llvm::DenseMap<llvm::LoadInst*, std::size_t> known;
    for (llvm::BasicBlock& block : function) {
        const auto test = test_of(dyn_cast<llvm::BranchInst>(block.getTerminator()));
        if (!test) continue;
        const auto [at, is_new] = known.try_emplace(test->address, parameters.size());
        if (is_new) parameters.emplace_back(*test->address);
        parameters[at->second].tests.push_back(*test);
    }
    bool changed = false;
    for (Parameter& each : parameters)
        changed |= each.run();
    return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace warplight::jit
