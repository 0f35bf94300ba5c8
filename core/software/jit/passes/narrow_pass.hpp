// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace warplight::jit {

/// Computes on vectors of 16-bit integers what PTX has in 32 bits, where the numbers come from bytes and all results
/// are known to fit: twice as many lanes share an instruction. Runs after InstCombine.
class NarrowPass : public llvm::PassInfoMixin<NarrowPass> {
public:
    static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace warplight::jit
