// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace warplight::jit {

/// Puts elements of short vectors into long ones by insertelement. InstCombine makes two shuffles of it: one that makes
/// the short vector as long, and one that takes its element. Of three such pairs in a row the code generator of LLVM 19
/// takes the result for undefined, and leaves out what is done with it.
class InsertionPass : public llvm::PassInfoMixin<InsertionPass> {
public:
    static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace warplight::jit
