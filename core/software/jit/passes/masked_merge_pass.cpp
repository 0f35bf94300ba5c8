// SPDX-License-Identifier: Apache-2.0
#include "masked_merge_pass.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

#include <optional>
#include <vector>

namespace warplight::jit {

namespace {

using llvm::Constant;
using llvm::Value;

/// Takes the bits `mask` from another value.
struct Merge {
    Value* other;
    Constant* mask;
};

Value* without_casts(Value* value) {
    while (auto* cast = llvm::dyn_cast<llvm::BitCastInst>(value))
        value = cast->getOperand(0);
    return value;
}

/// The bits that are not in `mask`. Elements that LLVM leaves undefined become 0 in both.
Constant* inverse(const Constant& mask) {
    const auto* type = llvm::cast<llvm::FixedVectorType>(mask.getType());
    std::vector<Constant*> elements;
    for (unsigned i = 0; i < type->getNumElements(); ++i) {
        const auto* element = llvm::dyn_cast_or_null<llvm::ConstantInt>(mask.getAggregateElement(i));
        elements.push_back(llvm::ConstantInt::get(
            type->getElementType(), element ? ~element->getValue() : llvm::APInt(type->getScalarSizeInBits(), 0)));
    }
    return llvm::ConstantVector::get(elements);
}

/// Whether no bit is in both, and none that is known in neither.
bool are_complements(const Constant& a, const Constant& b) {
    for (unsigned i = 0; i < llvm::cast<llvm::FixedVectorType>(a.getType())->getNumElements(); ++i) {
        const auto* x = llvm::dyn_cast_or_null<llvm::ConstantInt>(a.getAggregateElement(i));
        const auto* y = llvm::dyn_cast_or_null<llvm::ConstantInt>(b.getAggregateElement(i));
        if (x && y && x->getValue() != ~y->getValue()) return false;
    }
    return true;
}

/// `value` as a merge of bits of `kept` and of another value, or nothing.
std::optional<Merge> merge_of(Value* value, Value* kept) {
    namespace match = llvm::PatternMatch;
    if (!llvm::isa<llvm::FixedVectorType>(value->getType())) return std::nullopt;
    Value *a = nullptr, *b = nullptr;
    Constant *of_a = nullptr, *of_b = nullptr;
    if (match::match(value, match::m_Or(match::m_And(match::m_Value(a), match::m_Constant(of_a)),
                                        match::m_And(match::m_Value(b), match::m_Constant(of_b))))) {
        if (!are_complements(*of_a, *of_b)) return std::nullopt;
    } else if (const auto* sign = llvm::dyn_cast<llvm::IntrinsicInst>(value);
               sign && sign->getIntrinsicID() == llvm::Intrinsic::copysign) {
        a = sign->getArgOperand(0);
        b = sign->getArgOperand(1);
        auto* word = llvm::VectorType::getInteger(llvm::cast<llvm::VectorType>(value->getType()));
        of_b = llvm::ConstantInt::get(word, llvm::APInt::getSignMask(word->getScalarSizeInBits()));
        of_a = inverse(*of_b);
    } else {
        return std::nullopt;
    }
    if (without_casts(a) == kept) return Merge{b, inverse(*of_a)};
    if (without_casts(b) == kept) return Merge{a, inverse(*of_b)};
    return std::nullopt;
}

/// An equal of the selection; null where it selects no merge.
Value* rewritten(llvm::SelectInst& select) {
    auto* type = llvm::dyn_cast<llvm::FixedVectorType>(select.getType());
    if (!type || !select.getCondition()->getType()->isVectorTy() || type->isPtrOrPtrVectorTy()) return nullptr;
    for (const bool when : {true, false}) {
        Value* merged = when ? select.getTrueValue() : select.getFalseValue();
        Value* kept = when ? select.getFalseValue() : select.getTrueValue();
        const auto merge = merge_of(without_casts(merged), without_casts(kept));
        if (!merge) continue;
        llvm::IRBuilder<> b(&select);
        auto* word = llvm::VectorType::getInteger(type);
        Value* mask = b.CreateBitCast(merge->mask, word);
        Value* none = Constant::getNullValue(word);
        Value* old = b.CreateBitCast(kept, word);
        Value* taken = b.CreateSelect(select.getCondition(), when ? mask : none, when ? none : mask);
        // The value that the selection did not take may be poison.
        Value* other = b.CreateFreeze(b.CreateBitCast(merge->other, word));
        Value* changed = b.CreateAnd(b.CreateXor(old, other), taken);
        return b.CreateBitCast(b.CreateXor(old, changed), type);
    }
    return nullptr;
}

} // namespace

llvm::PreservedAnalyses MaskedMergePass::run(llvm::Function& function, llvm::FunctionAnalysisManager& /*analyses*/) {
    bool changed = false;
    for (llvm::Instruction& i : llvm::make_early_inc_range(llvm::instructions(function))) {
        auto* select = llvm::dyn_cast<llvm::SelectInst>(&i);
        Value* other = select ? rewritten(*select) : nullptr;
        if (!other) continue;
        select->replaceAllUsesWith(other);
        select->eraseFromParent();
        changed = true;
    }
    return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace warplight::jit
