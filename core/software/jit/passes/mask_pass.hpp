// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace warplight::jit {

/// Masks that are all ones or all zeros, by a condition: as the condition repeated, not as a choice between two
/// constants. Of an `or` of those LLVM 19's X86 code generator makes an integer's and back again, without end. To run
/// last, for InstCombine would make choices of them again.
class MaskPass : public llvm::PassInfoMixin<MaskPass> {
public:
    static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace warplight::jit
