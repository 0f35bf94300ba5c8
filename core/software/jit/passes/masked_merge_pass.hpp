// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace warplight::jit {

/// Keeps LLVM 19 from making one masked `vpternlog` of `mask ? (a & C | b & ~C) : a`, as a guarded bfi has it
/// (AVX-512). LLVM permutes the operands, forgets to permute its truth table, and computes another function of a, b and
/// C. This pass writes the equal `a ^ ((a ^ b) & (mask ? ~C : 0))`, which matches no pattern of LLVM.
class MaskedMergePass : public llvm::PassInfoMixin<MaskedMergePass> {
public:
    static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace warplight::jit
