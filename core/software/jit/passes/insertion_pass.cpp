// SPDX-License-Identifier: Apache-2.0
#include "insertion_pass.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Local.h>

#include <optional>
#include <vector>

namespace warplight::jit {

namespace {

using llvm::ShuffleVectorInst;
using llvm::Value;

unsigned length_of(const Value& vector) {
    return llvm::cast<llvm::FixedVectorType>(vector.getType())->getNumElements();
}

/// Makes a short vector longer.
ShuffleVectorInst* longer(Value* value) {
    auto* shuffle = llvm::dyn_cast<ShuffleVectorInst>(value);
    return shuffle && length_of(*shuffle->getOperand(0)) < length_of(*shuffle) ? shuffle : nullptr;
}

/// The one element that a shuffle takes from its second operand, while the others stay where they are in the first.
struct Insertion {
    unsigned at = 0;   ///< of the result
    unsigned from = 0; ///< of the second operand
};
std::optional<Insertion> insertion_of(const ShuffleVectorInst& shuffle) {
    const unsigned length = length_of(shuffle);
    if (length_of(*shuffle.getOperand(0)) != length) return std::nullopt;
    std::optional<Insertion> found;
    for (unsigned k = 0; k < length; ++k) {
        const int element = shuffle.getMaskValue(k);
        if (element < 0 || static_cast<unsigned>(element) == k) continue;
        if (found || static_cast<unsigned>(element) < length) return std::nullopt;
        found = {k, static_cast<unsigned>(element) - length};
    }
    return found;
}

/// Of what a longer vector was made of.
Value* element_of(llvm::IRBuilder<>& b, const ShuffleVectorInst& made, unsigned at) {
    const int element = made.getMaskValue(at);
    if (element < 0) return llvm::PoisonValue::get(made.getType()->getElementType());
    const unsigned length = length_of(*made.getOperand(0));
    const bool second = static_cast<unsigned>(element) >= length;
    return b.CreateExtractElement(made.getOperand(second ? 1 : 0),
                                  static_cast<unsigned>(element) - (second ? length : 0));
}

} // namespace

llvm::PreservedAnalyses InsertionPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    std::vector<ShuffleVectorInst*> shuffles;
    for (llvm::Instruction& i : llvm::instructions(function))
        if (auto* shuffle = llvm::dyn_cast<ShuffleVectorInst>(&i))
            if (llvm::isa<llvm::FixedVectorType>(shuffle->getType()) && longer(shuffle->getOperand(1)) &&
                insertion_of(*shuffle))
                shuffles.push_back(shuffle);
    llvm::SmallVector<llvm::WeakTrackingVH> dead;
    for (ShuffleVectorInst* shuffle : shuffles) {
        const Insertion insertion = *insertion_of(*shuffle);
        llvm::IRBuilder<> b(shuffle);
        Value* element = element_of(b, *longer(shuffle->getOperand(1)), insertion.from);
        shuffle->replaceAllUsesWith(b.CreateInsertElement(shuffle->getOperand(0), element, insertion.at));
        dead.emplace_back(shuffle);
    }
    llvm::RecursivelyDeleteTriviallyDeadInstructionsPermissive(dead);
    return shuffles.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

} // namespace warplight::jit
