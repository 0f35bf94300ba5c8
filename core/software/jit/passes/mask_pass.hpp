// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/PassManager.h>

namespace warplight::jit {

/// A mask that is all ones or all zeros, by a condition, becomes a splat of the condition instead of a select between
/// two constants. LLVM 19's X86 code generator turns an `or` of such selects into an integer's and back again, without
/// end. To run last, because InstCombine would make selects again.
class MaskPass : public llvm::PassInfoMixin<MaskPass> {
public:
    static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace warplight::jit
