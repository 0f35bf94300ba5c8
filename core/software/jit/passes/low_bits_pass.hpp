// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace warplight::jit {

/// Whether an address is aligned is asked at every access. Where it runs through memory in steps that are multiples of
/// the alignment, and where such an index is added to it, this pass asks what it started with: LLVM then asks once.
class LowBitsPass : public llvm::PassInfoMixin<LowBitsPass> {
public:
    static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace warplight::jit
