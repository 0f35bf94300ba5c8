// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace warplight::jit {

/// LLVM 19 makes one `vpternlog` under a mask of `mask ? (a & C | b & ~C) : a`, and turns its operands into an order
/// that its table of results does not have: the outcome is another function of a, b and C (AVX-512; a guarded
/// copysign). This pass writes `a ^ ((a ^ b) & (mask ? ~C : 0))` instead, which is the same and has no such pattern.
class MaskedMergePass : public llvm::PassInfoMixin<MaskedMergePass> {
public:
    static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace warplight::jit
