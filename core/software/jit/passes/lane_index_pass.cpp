// SPDX-License-Identifier: Apache-2.0
#include "lane_index_pass.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/IR/ValueHandle.h>
#include <llvm/Transforms/Utils/Local.h>

#include <optional>
#include <vector>

namespace warplight::jit {

using llvm::Value;

namespace {

constexpr unsigned kIndexBits = 32;
constexpr std::uint64_t kLargestShift = 3; ///< of an index: addresses have factors up to 8

struct Index {
    Value* lanes; ///< of 32 bits, with a sign
    unsigned shift;
};

/// A shifted extension of 32 bits that may be taken for one with a sign.
std::optional<Index> index_of(Value* term) {
    using namespace llvm::PatternMatch;
    unsigned shift = 0;
    Value *shifted = nullptr, *lanes = nullptr;
    const llvm::APInt* by = nullptr;
    if (match(term, m_Shl(m_Value(shifted), m_APInt(by)))) {
        if (by->ugt(kLargestShift)) return std::nullopt;
        shift = static_cast<unsigned>(by->getZExtValue());
        term = shifted;
    }
    if (!match(term, m_CombineOr(m_SExt(m_Value(lanes)), m_NNegZExt(m_Value(lanes))))) return std::nullopt;
    if (lanes->getType()->getScalarSizeInBits() != kIndexBits) return std::nullopt;
    return Index{lanes, shift};
}

/// The addresses of an access as a number and an index for each lane; null: they are something else.
Value* as_indexed(Value* pointers, llvm::Instruction* access) {
    using namespace llvm::PatternMatch;
    auto* cast = llvm::dyn_cast<llvm::IntToPtrInst>(pointers);
    if (!cast || !cast->getType()->isVectorTy()) return nullptr;
    constexpr unsigned kMostTerms = 8;
    std::vector<Value*> left{cast->getOperand(0)}, numbers;
    std::optional<Index> index;
    for (unsigned steps = 0; !left.empty(); ++steps) {
        Value* term = left.back();
        left.pop_back();
        Value *x = nullptr, *y = nullptr;
        if (Value* number = llvm::getSplatValue(term)) {
            numbers.push_back(number);
        } else if (const auto found = index_of(term)) {
            if (index) return nullptr;
            index = found;
        } else if (steps < kMostTerms && match(term, m_AddLike(m_Value(x), m_Value(y)))) {
            left.push_back(x);
            left.push_back(y);
        } else {
            return nullptr;
        }
    }
    if (!index || numbers.empty()) return nullptr;
    llvm::IRBuilder<> b(access);
    Value* base = numbers.front();
    for (Value* number : llvm::drop_begin(numbers))
        base = b.CreateAdd(base, number);
    base = b.CreateIntToPtr(base, cast->getType()->getScalarType());
    return b.CreateGEP(b.getIntNTy(8U << index->shift), base, index->lanes);
}

} // namespace

llvm::PreservedAnalyses LaneIndexPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    std::vector<llvm::WeakTrackingVH> perhaps_dead;
    for (llvm::Instruction& i : llvm::instructions(function)) {
        auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
        if (!call) continue;
        const auto id = call->getIntrinsicID();
        if (id != llvm::Intrinsic::masked_gather && id != llvm::Intrinsic::masked_scatter) continue;
        llvm::Use& pointers = call->getArgOperandUse(id == llvm::Intrinsic::masked_gather ? 0 : 1);
        Value* indexed = as_indexed(pointers, call);
        if (!indexed) continue;
        perhaps_dead.emplace_back(pointers.get()); // its parts would be kept for it from block to block
        pointers.set(indexed);
    }
    if (perhaps_dead.empty()) return llvm::PreservedAnalyses::all();
    for (const llvm::WeakTrackingVH& pointers : perhaps_dead)
        if (pointers) llvm::RecursivelyDeleteTriviallyDeadInstructions(pointers);
    return llvm::PreservedAnalyses::none();
}

} // namespace warplight::jit
