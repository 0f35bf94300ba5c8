// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace warplight::jit {

/// Keeps LLVM 19 from making one masked `vpternlog` of `mask ? (a & C | b & ~C) : a`. It turns the operands into an
/// order that its table of results does not have, and the outcome is another function of a, b and C (AVX-512; a guarded
/// bfi). This pass writes `a ^ ((a ^ b) & (mask ? ~C : 0))` instead. That is the same, and no pattern of LLVM's.
class MaskedMergePass : public llvm::PassInfoMixin<MaskedMergePass> {
public:
    static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace warplight::jit
